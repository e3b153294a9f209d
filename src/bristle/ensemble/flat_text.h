#pragma once
#include <cstddef>

#include "bristle/ensemble/flat_model.h"

namespace bristle {

/// Numbers of the runs of a group, number by number, those of all its runs ("lanes") side by side.
struct LaneArrays {
  double *q0, *v0, *z0, *rate0, *power0;  ///< at the start of the step
  double *q, *v, *z, *rate, *power;       ///< at its end
  double *f, *sum, *step_work;            ///< room; step_work is zero between steps
  double *work, *lost;                    ///< [J] per account since the start, and what its rounding has lost
};

/// Drives whose motion is a signal: writes their positions and velocities at a time.
struct LaneDrives {
  void (*move)(void* of, double t, double* q, double* v) = nullptr;  ///< nullptr: all have a constant speed
  void* of = nullptr;
};

/** What a group of lanes can do, for a law and a number of lanes that are known when it is compiled. Plain functions over plain arrays, so that a text may be
compiled for a processor that has wider registers than the one the rest is compiled for. `room` holds the numbers of the models. */
struct FlatText {
  int lanes = 1;
  std::size_t (*room)(const FlatSizes&) = nullptr;  ///< [bytes], aligned to kAlignment
  /// Numbers of as many models as there are lanes; each a FlatModel<FlatForm<L, double>>, or FlatModel<WholeForm<L>> for one lane.
  void (*gather)(void* room, const void* const* models) = nullptr;
  void (*move_drives)(const void* room, const LaneArrays&, const LaneDrives&, double t) = nullptr;  ///< of q and v
  void (*evaluate)(const void* room, const LaneArrays&) = nullptr;                                  ///< q, v, z: rate, power
  /// From q0, v0, z0, rate0, power0 over a step h, the evaluation of its end included; its work is added up.
  void (*step)(const void* room, const StageChain&, const LaneArrays&, const LaneDrives&, double t, double h) = nullptr;
};
inline constexpr std::size_t kLaneAlignment = 64;

/// The text of a law, by a number type. Form has that number type; Narrow is the form with one run.
template <class Form, class Narrow>
struct FlatTextOf {
  using R = typename Form::Number;
  using Model = FlatModel<Form>;
  using Source = FlatModel<Narrow>;
  static constexpr int kLanes = static_cast<int>(sizeof(R) / sizeof(double));

  /// Where the parts of a model stand, one behind the other.
  struct Parts {
    std::size_t model, inverse, drives, springs, places, end;
    explicit Parts(const FlatSizes& s) {
      std::size_t at = 0;
      const auto take = [&](std::size_t size, int count) {
        const std::size_t from = at;
        at += (size * static_cast<std::size_t>(count) + kLaneAlignment - 1) / kLaneAlignment * kLaneAlignment;
        return from;
      };
      model = take(sizeof(Model), 1);
      inverse = take(sizeof(R), s.free);
      drives = take(sizeof(FlatDrive<R>), s.driven);
      springs = take(sizeof(FlatSpring<R>), s.springs);
      places = take(sizeof(typename Model::Place), s.places);
      end = at;
    }
  };
  static std::size_t room(const FlatSizes& s) { return Parts(s).end; }

  /// Numbers of `count` structs of each lane, which have nothing else.
  template <class Wide, class Thin>
  static void gather_numbers(Wide* to, const Thin* from, int count, int lane) {
    static_assert(sizeof(Wide) == kLanes * sizeof(Thin) && sizeof(Thin) % sizeof(double) == 0);
    const std::size_t n = sizeof(Thin) / sizeof(double) * static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < n; ++i) {
      __builtin_memcpy(reinterpret_cast<char*>(to) + (i * kLanes + static_cast<std::size_t>(lane)) * sizeof(double),
                       reinterpret_cast<const char*>(from) + i * sizeof(double), sizeof(double));
    }
  }
  static void gather(void* into, const void* const* models) {
    const auto& first = *static_cast<const Source*>(models[0]);
    FlatSizes s = first.sizes;
    for (int lane = 1; lane < kLanes; ++lane) {
      const FlatSizes& other = static_cast<const Source*>(models[lane])->sizes;
      s.sliding = s.sliding && other.sliding, s.steady = s.steady && other.steady;
    }
    const Parts parts(s);
    char* at = static_cast<char*>(into);
    auto* inverse = reinterpret_cast<R*>(at + parts.inverse);
    auto* drives = reinterpret_cast<FlatDrive<R>*>(at + parts.drives);
    auto* springs = reinterpret_cast<FlatSpring<R>*>(at + parts.springs);
    auto* places = reinterpret_cast<typename Model::Place*>(at + parts.places);
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto& from = *static_cast<const Source*>(models[lane]);
      gather_numbers(inverse, from.inverse, s.free, lane);
      gather_numbers(drives, from.drives, s.driven, lane);
      for (int i = 0; i < s.springs; ++i) {
        springs[i].ends = from.springs[i].ends;
        gather_numbers(&springs[i].force, &from.springs[i].force, 1, lane);
      }
      for (int i = 0; i < s.places; ++i) {
        places[i].ends = from.places[i].ends;
        gather_numbers(&places[i].numbers, &from.places[i].numbers, 1, lane);
      }
    }
    Model& model = *reinterpret_cast<Model*>(at + parts.model);
    model.sizes = s;
    model.inverse = inverse, model.drives = drives, model.springs = springs, model.places = places;
  }

  static R* as(double* x) { return reinterpret_cast<R*>(x); }
  static const Model& model_of(const void* room) { return *static_cast<const Model*>(room); }
  static void move(const Model& model, const LaneDrives& drives, double t, double* q, double* v) {
    if (drives.move != nullptr) drives.move(drives.of, t, q, v);
    else model.set_time(t, as(q), as(v));
  }
  static void move_drives(const void* room, const LaneArrays& s, const LaneDrives& drives, double t) {
    move(model_of(room), drives, t, s.q, s.v);
  }
  static void evaluate(const void* room, const LaneArrays& s) {
    const Model& model = model_of(room);
    R *rate = as(s.rate), *v = as(s.v);
    const int n = model.sizes.free;
    model.evaluate(as(s.q), v, as(s.f), as(s.z), rate + 2 * n, as(s.power), rate + n);
    model.add_drive_power(v, as(s.f), as(s.power));
    for (int i = 0; i < n; ++i) rate[i] = v[i];
  }
  static void step(const void* room, const StageChain& chain, const LaneArrays& s, const LaneDrives& drives, double t, double h) {
    const Model& model = model_of(room);
    double there = __builtin_nan("");  // the drives are where an earlier step left them
    const FlatArrays<R> arrays{as(s.q0), as(s.v0),   as(s.z0),    as(s.rate0), as(s.power0), as(s.q),        as(s.v),
                               as(s.z),  as(s.rate), as(s.power), as(s.f),     as(s.sum),    as(s.step_work)};
    model.step(chain, t, h, arrays, [&](double at) {
      if (at == there) return;
      there = at;
      move(model, drives, at, s.q, s.v);
    });
    // as Ledger::close_step
    R *work = as(s.work), *lost = as(s.lost), *done = as(s.step_work);
    for (int i = 0; i < model.sizes.accounts; ++i) {
      const R add = done[i] - lost[i], sum = work[i] + add;
      lost[i] = (sum - work[i]) - add;
      work[i] = sum;
      done[i] = R(0);
    }
  }
  static constexpr FlatText kText{kLanes, room, gather, move_drives, evaluate, step};
};

/// A law is known by the address of this.
template <class L>
inline constexpr char kLawTag = 0;

/// Finds the text of a law among those of a list, for packs of the number type R.
template <class R>
struct FlatTextSearch {
  const void* law;
  const FlatText* found = nullptr;
};
template <class L, class R>
void add_law(FlatTextSearch<R>& search, const char*, const char*) {
  if constexpr (HasFlat<L>) {
    if (search.law == &kLawTag<L>) search.found = &FlatTextOf<FlatForm<L, R>, FlatForm<L, double>>::kText;
  }
}

/// Texts with more lanes than one; nullptr where the law has no flat form.
const FlatText* flat_text_2(const void* law);
const FlatText* flat_text_4(const void* law);  ///< for processors with AVX2
const FlatText* flat_text_8(const void* law);  ///< for processors with AVX-512

}  // namespace bristle
