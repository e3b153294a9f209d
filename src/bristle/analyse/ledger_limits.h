#pragma once

namespace bristle {

/// What the energy ledger may be off by, for a run and for every variant of an ensemble. Shares of the energy involved: up to these it is a
/// matter of accuracy, beyond them the motion is not that of the model.
namespace ledger_limits {
inline constexpr double kResidual = 0.01;  ///< nobody explains it
inline constexpr double kFall = 0.02;      ///< an account that can only dissipate has given back
inline constexpr double kCreated = 0.02;   ///< the method itself has brought in
inline constexpr double kTaken = 0.1;      ///< the method itself has taken out: worth a note. More than all there was is nonsense
inline constexpr double kRounding = 1e-10;  ///< of the stored energy: as good as nothing
}  // namespace ledger_limits

}  // namespace bristle
