#pragma once
// Random models that a user could have meant: everything in them fits together.
#include <cstdint>
#include <string>
#include <vector>

#include "bristle/base/node.h"
#include "bristle/joint/plan.h"
#include "bristle/math/space.h"
#include "dice.h"
#include "parameters.h"

namespace bristle::fuzz {

/// The model of a seed; the same on every machine.
Node random_model(std::uint64_t seed);
std::string model_text(const Node& model);

/// Puts a model together piece by piece.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : dice_(seed) {}
  Node make();

 private:
  struct Part {
    std::string name;
    Vec3<> at{};         // [m] of its frame
    bool point = false;  // a particle, or a node of a bar: held at its position only
    int freedoms = 0;
  };
  struct Motion {
    std::string name;  // pin.angle
    bool rotary = false;
  };

  // what models are about
  void scalars(Dice d);
  void mechanism(Dice d, bool planar);
  void touching(Dice d, bool planar);
  void crowd(Dice d);
  void flexible(Dice d);
  void rolling(Dice d);
  void sleeve(Dice d);

  // pieces of them
  std::string name(const char* kind) { return kind + std::to_string(++named_); }
  Node& add(const char* section, const std::string& name, Node node);
  Part& add_rigid(Dice d, const Vec3<>& at, bool planar);
  Part& add_particle(Dice d, const Vec3<>& at);
  std::string add_joint(Dice d, const JointEntry& entry, const Part& a, const Part& b, const Vec3<>& at, const Vec3<>& axis,
                        bool planar, double worn);
  void add_sizes(Dice d, Node& joint, const std::vector<std::string>& sizes);
  void add_friction(Dice d, Node& joint, LawWishes wishes = {});
  void add_contact_law(Dice d, Node& owner, LawWishes wishes = {});
  void add_drive_or_stops(Dice d, Node& joint, const std::vector<Motion>& motions);
  void close_loop(Dice d, bool planar);
  void set_moving(Dice d, const std::string& base_type, const Vec3<>& at, const Vec3<>& axis, bool planar);
  void add_forces(Dice d, bool planar);
  void add_couplings(Dice d);
  void add_gravity(Dice d, bool planar);
  std::string signal(Dice d, double amplitude);
  std::string feedback(Dice d, const std::string& position, const std::string& velocity, double stiffness);
  Node surface(Dice d, bool planar, double& below);
  Node analysis(Dice d);

  static double rounded(double x);  // to the digits that are printed
  static Vec3<> offset(Dice& d, double low, double high, bool planar);
  static Vec3<> axis(Dice& d);
  static int rows(const JointEntry& entry, bool planar);

  Dice dice_;
  Node root_;
  int named_ = 0;
  std::vector<Part> parts_;
  std::vector<Motion> motions_;
  int freedoms_ = 0;
  bool driven_ = false, closed_ = false;  // no velocities are given then: they follow
  bool rigid_ = false, crowd_ = false, held_ = false, rate_rows_ = false, touches_ = false, dry_ = false;
};

}  // namespace bristle::fuzz
