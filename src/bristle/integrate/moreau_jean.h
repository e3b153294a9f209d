#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "bristle/enforce/contact_sweeps.h"
#include "bristle/integrate/held_forces.h"
#include "bristle/integrate/impact_work.h"
#include "bristle/integrate/integrator.h"
#include "bristle/integrate/stage_matrix.h"
#include "bristle/math/cone_problem.h"

namespace bristle {

/// Time stepping over impacts after Moreau and Jean: bodies that touch, part, hit and stick are solved together, step by step, on
/// velocities and impulses. No event is located, so infinitely many bounces in finite time cost nothing.
///   M (v1 - v0) = h f + D' p,   q1 = q0 (+) h (theta v1 + (1 - theta) v0),
/// where f is linear about the middle of the step in what the step changes (linearly implicit: stiff springs stay stable) and the
/// rows D of contacts are those of the middle. Contacts that are closed there obey an impact law on velocities
///   newton:   0 <= p_n, u_n(v1) + e u_n(v0) >= 0, one of them zero
///   poisson:  compression with e = 0, then p_n >= e times the impulse of the compression
/// and Coulomb's law between impulses and the slip at the end. Slow contacts (rest_speed; slower than what forces do within the step)
/// have e = 0 and are kept from closing more than their gap. Joints are kept on velocities, positions are corrected afterwards.
/// First order at impacts, second order between them (theta = 1/2). Energy: impacts and friction belong to their contacts, impulse
/// times mean velocity; within an impact no contact and no friction gives out what others take (share_impact_work). numerical is what theta > 1/2 damps, what linear forces miss of those at the mean of the step, and what
/// corrections of positions lift. The residual of the ledger is then that of the midpoint rule, of third order in the step.
/// Cannot: friction with a jump anywhere but in rigid contacts; bodies that pass through each other within one step.
/// Sources: J. J. Moreau, "Unilateral contact and dry friction in finite freedom dynamics" (1988), doi:10.1007/978-3-7091-2624-0_1;
/// M. Jean, "The non-smooth contact dynamics method" (1999), doi:10.1016/S0045-7825(98)00383-1.
class MoreauJean final : public Integrator {
 public:
  enum class Solver { automatic, newton, sweeps };
  enum class Stabilise { projection, none };
  void visit(Visitor& v);

  MethodTraits traits() const override { return {.takes_impacts = true}; }
  std::string needs_refused(const System&) const override;
  void prepare(const System&) override;
  Outcome step(StepContext&, const State& x0, double h, State& x1) override;
  void interpolate(const StepContext&, const State& x0, const State& x1, const double* rate1, double part, State&) const override;
  void restart() override { remembered_.clear(); }
  void save(Archive&) const override;
  void load(Archive&) override;

  const ContactReport* contact_report() const override { return &report_; }
  double residual() const { return report_.worst; }                    ///< [m/s] largest of all steps so far
  double deepest() const { return deepest_; }                          ///< [m] penetration in the middle of the last step
  int contacts() const { return static_cast<int>(contacts_.size()); }  ///< in the last step's problem

 private:
  struct Contact {
    int place = -1;         // index into System::rigid, or
    int group = 0;          // of a free contact, by number,
    std::uint64_t key = 0;  // and its key there
    Vec3<> axis[3];         // of a free contact
    int slot = -1;          // in lambda
    int contact_account = 0, friction_account = 0;
    double gap = 0, restitution = 0;  // restitution: of this impact
    bool poisson = false;
    bool hit = false;              // faster than what forces do within the step
    double before[3] = {0, 0, 0};  // u at the velocities before
  };
  void find_contacts(StepContext&, const State& x0, double h);
  bool consider(Contact& k, const Unilateral& law, int slips, int count, const int* unknown, const double* D, double friction,
                double h);
  void recall(const State& x0, double h);
  bool move_freely(StepContext&, double h);
  void look_at_middle(StepContext&, const State& x0, double h);
  struct Middle;
  void respond();
  ConeAnswer settle();
  ConeAnswer solve_impacts();
  ConeAnswer solve_poisson();
  void push_impulses();
  void keep_impulses(std::vector<double>& to) const;
  void take_impulses(const std::vector<double>& from);
  double gross_work() const;
  double usual_work() const;
  double contact_work() const;
  double contact_size() const;  // [J] of what approaches: a scale for it
  void correct_positions(StepContext&, double h, State& x1);
  void account(StepContext&, const State& x0, double h, const State& x1);
  bool dense() const;
  double allowed() const { return std::max(tolerance_ * scale_, speed_tolerance_); }  // [m/s]
  double bearable() const { return std::max(accept_ * scale_, allowed()); }           // [m/s] more, and the step is made smaller
  void book_contacts(StepContext&, double h, State& x1);
  void note_residual(const StepContext&, double residual, double t);

  double theta_ = 0.5, tolerance_ = 1e-10, speed_tolerance_ = 1e-9, share_ = 0.2, depth_ = 1e-9, accept_ = 0.1;
  int iterations_ = 500;
  bool implicit_ = true;
  Solver solver_ = Solver::automatic;
  Stabilise stabilise_ = Stabilise::projection;

  int n_ = 0, m_ = 0, held_ = 0, slots_ = 0;
  bool iterates_ = false;  // friction outside rigid contacts
  bool coupled_ = false;   // forces, joints or memory couple the bodies: one matrix for all
  HeldForces forces_;
  StageMatrix matrix_;
  StageMatrix::Factors<double> factors_;
  ContactSweeps sweeps_;
  ConeProblem problem_;
  std::vector<Contact> contacts_;
  std::vector<ImpactWork> taken_;  // by the contacts of a step
  std::vector<FreeContact> found_;
  std::vector<double> b_, f_, rate_, dv_, response_, p_, D_, free_dv_, free_b_, so_far_, given_back_, plain_;
  mutable std::vector<double> between_;
  std::vector<int> columns_;
  State mid_;
  double scale_ = 0;  // [m/s] largest speed in the contacts
  double deepest_ = 0, margin_ = 0;
  ContactReport report_;
  struct Impulse {
    std::uint64_t group = 0, key = 0;
    double axis[3] = {0, 0, 0};  // in world axes
    bool operator<(const Impulse& other) const { return group != other.group ? group < other.group : key < other.key; }
  };
  std::vector<Impulse> remembered_;  // of free contacts, in order
};

}  // namespace bristle
