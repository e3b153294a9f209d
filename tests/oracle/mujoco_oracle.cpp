#include "mujoco_oracle.h"

#include <mujoco/mujoco.h>

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

namespace bristle::test {
namespace {

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// A model from text, and its data.
class World {
 public:
  explicit World(const std::string& bodies, double step, double g) {
    const std::string text =
        "<mujoco><compiler angle=\"radian\" boundmass=\"0\" boundinertia=\"0\"/><option integrator=\"RK4\" timestep=\"" +
        number(step) + "\" gravity=\"0 " + number(-g) +
        " 0\"><flag contact=\"disable\" constraint=\"disable\"/></option><worldbody>" + bodies + "</worldbody></mujoco>";
    // through a file: the one way that all versions have
    static int count = 0;
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("bristle_mujoco_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ".xml");
    std::ofstream(file) << text;
    char error[500] = "";
    model_.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
    std::filesystem::remove(file);
    if (!model_) throw std::runtime_error(error);
    data_.reset(mj_makeData(model_.get()));
  }
  mjData& data() { return *data_; }
  void advance(double to) {
    const long until = std::lround(to / model_->opt.timestep);
    for (; done_ < until; ++done_) mj_step(model_.get(), data_.get());
  }

 private:
  struct Free {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
  long done_ = 0;
};

}  // namespace

std::vector<MujocoSpin> mujoco_free_body(const Triple& J, const Triple& spin, const std::vector<double>& times, double step) {
  World world("<body><freejoint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"" + number(J[0]) + " " + number(J[1]) + " " +
                  number(J[2]) + "\"/></body>",
              step, 0);
  for (int i = 0; i < 3; ++i) world.data().qvel[3 + i] = spin[static_cast<std::size_t>(i)];
  std::vector<MujocoSpin> out;
  for (const double t : times) {
    world.advance(t);
    const mjData& d = world.data();
    MujocoSpin s{t, {d.qvel[3], d.qvel[4], d.qvel[5]}, {}};
    mjtNum R[9];
    mju_quat2Mat(R, d.qpos + 3);
    for (std::size_t i = 0; i < 9; ++i) s.attitude[i / 3][i % 3] = R[i];
    out.push_back(s);
  }
  return out;
}

std::vector<Chain::State> mujoco_chain(const Chain& chain, const std::vector<double>& times, double step) {
  const std::string inertia = number(chain.mass * chain.length * chain.length / 12);
  std::string open, close;
  for (int i = 0; i < chain.links; ++i) {
    // the inertias across the plane play no part; all three alike is a body that can be
    open += "<body pos=\"" + number(i == 0 ? 0 : chain.length) + " 0 0\"><joint type=\"hinge\" axis=\"0 0 1\"/><inertial pos=\"" +
            number(0.5 * chain.length) + " 0 0\" mass=\"" + number(chain.mass) + "\" diaginertia=\"" + inertia + " " + inertia +
            " " + inertia + "\"/>";
    close += "</body>";
  }
  World world(open + close, step, chain.g);
  std::vector<Chain::State> out;
  for (const double t : times) {
    world.advance(t);
    Chain::State s;
    s.t = t;
    double angle = 0, rate = 0;
    for (int i = 0; i < chain.links; ++i) {
      angle += world.data().qpos[i], rate += world.data().qvel[i];
      s.angle.push_back(angle), s.rate.push_back(rate);
    }
    out.push_back(s);
  }
  return out;
}

}  // namespace bristle::test
