// Impacts with restitution: what the laws ask for, what they may give and take, and whose that is.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/integrate/moreau_jean.h"

namespace bristle {

namespace {
constexpr double kParadox = 5;  // times the work of an impact without restitution: no law of restitution does that
}  // namespace

ConeAnswer MoreauJean::solve_impacts() {
  bool bounces = false, poisson = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    bounces = bounces || k.restitution > 0;
    poisson = poisson || (k.poisson && k.restitution > 0);
    sweeps_.rows()[i].floor = 0;
  }
  if (!bounces) return settle();
  free_dv_ = dv_;
  free_b_ = b_;
  ConeAnswer answer = poisson ? solve_poisson() : settle();
  double whole = contact_work(), size = contact_size();
  const double gross = gross_work();
  const bool large = gross > kParadox * usual_work();
  if (!(whole > 1e-10 * size) && !large) return answer;
  // the law would give out energy, as Newton's does where friction turns the slip around. No contact does that: of all mixtures with the
  // impact without restitution, which only takes, the one with the most of the law that gives nothing
  std::vector<ContactRow>& rows = sweeps_.rows();
  const std::size_t n = rows.size(), all = b_.size();
  keep_impulses(given_back_);
  const double *p = given_back_.data(), *b = p + 3 * n, *dv = b + all;
  for (std::size_t i = 0; i < n; ++i) {
    rows[i].floor = 0;
    if (contacts_[i].restitution > 0 && !contacts_[i].poisson)
      rows[i].bias[0] -= contacts_[i].restitution * contacts_[i].before[0];
  }
  dv_ = free_dv_;
  b_ = free_b_;
  const ConeAnswer plain = settle();
  answer.iterations += plain.iterations;
  answer.sweeps += plain.sweeps;
  const bool paradox = large && gross > kParadox * gross_work();
  answer.residual = paradox ? plain.residual : std::max(answer.residual, plain.residual);
  if (paradox) {
    // Where a joint makes both of them one motion, friction at the end of a bounce works against the bounce: impulses grow without bound, or there are none. Then
    // every contact gives back its share of the impulse without restitution, friction included. With one restitution for all that takes at least
    // what the impact without restitution leaves to friction, and rebounds as Newton's law does
    keep_impulses(plain_);
    dv_ = free_dv_;
    b_ = free_b_;
    for (std::size_t i = 0; i < n; ++i) {
      for (double& impulse : rows[i].p) impulse *= 1 + contacts_[i].restitution;
    }
    push_impulses();
    whole = contact_work(), size = contact_size();
    if (!(whole > 1e-10 * size)) return answer;
    keep_impulses(given_back_);
    take_impulses(plain_);
  }
  double mixed = 0;
  const auto mix = [&](double share) {  // of the law
    const double part = (share - mixed) / (1 - mixed);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t d = 0; d < 3; ++d) rows[i].p[d] += part * (p[3 * i + d] - rows[i].p[d]);
    }
    for (std::size_t i = 0; i < all; ++i) b_[i] += part * (b[i] - b_[i]);
    for (std::size_t i = 0; i < u(n_); ++i) dv_[i] += part * (dv[i] - dv_[i]);
    mixed = share;
  };
  // work is a quadratic in the share
  const double none = std::min(0.0, contact_work());
  mix(0.5);
  const double half = contact_work(), bend = 2 * (whole + none - 2 * half), slope = whole - none - bend;
  const double root = slope * slope - 4 * bend * none;
  double share = std::abs(bend) > 1e-12 * std::abs(slope) && root >= 0 ? (-slope + std::sqrt(root)) / (2 * bend) : -none / slope;
  if (!(share >= 0) || !(share < 1)) share = 0;
  mix(share);
  return answer;
}

/// Impulses of all contacts, and what they change.
void MoreauJean::keep_impulses(std::vector<double>& to) const {
  to.clear();
  for (const ContactRow& r : sweeps_.rows()) to.insert(to.end(), r.p, r.p + 3);
  to.insert(to.end(), b_.begin(), b_.end());
  to.insert(to.end(), dv_.begin(), dv_.end());
}
void MoreauJean::take_impulses(const std::vector<double>& from) {
  const double* at = from.data();
  for (ContactRow& r : sweeps_.rows()) {
    std::copy_n(at, 3, r.p);
    at += 3;
  }
  std::copy_n(at, b_.size(), b_.begin());
  std::copy_n(at + b_.size(), dv_.size(), dv_.begin());
}

/// [J] What normal impulses and friction give and take, without regard to the sign.
double MoreauJean::gross_work() const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactRow& r = sweeps_.rows()[i];
    for (int d = 0; d <= r.slips; ++d) sum += std::abs(r.p[d] * (contacts_[i].before[d] + 0.5 * sweeps_.read(r, d, dv_.data())));
  }
  return sum;
}
/// [J] What it takes to stop the contacts of the impact, each alone.
double MoreauJean::usual_work() const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!contacts_[i].hit) continue;
    const ContactRow& r = sweeps_.rows()[i];
    for (int d = 0; d <= r.slips; ++d) {
      const double own = sweeps_.own(r)[d * (r.slips + 1) + d], speed = contacts_[i].before[d];
      if (own > 0) sum += 0.5 * speed * speed / own;
    }
  }
  return sum;
}

/// [J] What the contacts of the step give out in all: impulse times mean velocity.
double MoreauJean::contact_work() const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactRow& r = sweeps_.rows()[i];
    for (int d = 0; d <= r.slips; ++d) sum += r.p[d] * (contacts_[i].before[d] + 0.5 * sweeps_.read(r, d, dv_.data()));
  }
  return sum;
}
double MoreauJean::contact_size() const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) sum += sweeps_.rows()[i].p[0] * std::abs(contacts_[i].before[0]);
  return sum;
}

ConeAnswer MoreauJean::solve_poisson() {
  // the compression of the impact alone, without what forces do within the step; then the step without restitution; then that with what
  // the compression gives back. With forces in the compression a ball would never come to rest: they would be given back as well
  ConeAnswer all;
  const auto solve = [&] {
    const ConeAnswer part = settle();
    all.iterations += part.iterations;
    all.sweeps += part.sweeps;
    all.residual = std::max(all.residual, part.residual);
    all.converged = part.converged;
  };
  std::fill(dv_.begin(), dv_.end(), 0.0);
  std::fill(b_.begin(), b_.end(), 0.0);
  solve();
  std::vector<ContactRow>& rows = sweeps_.rows();
  given_back_.assign(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    given_back_[i] = contacts_[i].poisson ? contacts_[i].restitution * rows[i].p[0] : 0;
  dv_ = free_dv_;
  b_ = free_b_;
  solve();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!(given_back_[i] > 0)) continue;
    rows[i].floor = rows[i].p[0] + given_back_[i];
    rows[i].p[0] = rows[i].floor;
  }
  dv_ = free_dv_;
  b_ = free_b_;
  solve();
  return all;
}

}  // namespace bristle
