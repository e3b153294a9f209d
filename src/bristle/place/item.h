#pragma once
#include <memory>
#include <optional>
#include <string>

#include "bristle/core/jacobian_sink.h"
#include "bristle/interface/friction_law.h"
#include "bristle/measure/bearing.h"
#include "bristle/place/press.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// A parameter of the law that an expression gives. The law sees no value that it cannot take: at the end of a step that is an error.
struct PlaceInput {
  BoundSignal signal;
  double low = 0, high = 0;  ///< values that the law can take
  std::string key, range;    ///< in the user's words
};

/// Where two surfaces rub: a measure for each component of slip, a load, a friction law. The slip is the rate of the measure times `arm`,
/// and what resists the measure is the law's force times `force_arm` (lever arms of rotary places).
template <class M, int D>
struct Place {
  M measure[D];
  BoundSignal load;
  std::optional<Bearing> bearing;  ///< load from the reactions of the joint, in place of the signal
  std::optional<Press> press;      ///< load from the overlap of the surfaces, in place of the signal
  std::unique_ptr<FrictionLaw<D>> law;
  std::optional<PlaceInput> input;  ///< of the law
  double arm = 1, force_arm = 1;
  double lever = 1;  ///< force_arm / arm: power per force times slip
  int z = 0;         ///< first memory number
  int marks = 0;     ///< [mode, direction (D)] of a dry place, then the marks of the law
  int account = 0;
  int load_account = -1;  ///< of who varies the load, where the memory stores energy in proportion to it
  int stream = 0;         ///< of random numbers, its own, see random_stream.h
  int slot = -1;          ///< first slot in lambda, dry places only
  int travel =
      -1;  ///< first of D numbers of memory that add up the slip, for a law that asks for travel where the measure has no position
  int way = -1;  ///< marks for results alone, where the measure has no position and the law asks for none: the slip added up from
                 ///< step to step while the surfaces press (D), its last value (D), their time
  NodeChain chain;  ///< the beam along which it slides
  std::string name;
  // filled by PlaceBlock
  int room = 0;                        ///< first number in StepEval::room
  const SetValued<D>* rest = nullptr;  ///< the law, when it is dry
  double constant_load = -1;           ///< [N] -1: a signal
  MemorySize memory;
};

}  // namespace bristle
