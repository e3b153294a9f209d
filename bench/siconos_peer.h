#pragma once
// Siconos as the peer of grains, where its mechanics library is installed (BRISTLE_HAVE_SICONOS_MECHANICS).
#include "grains.h"

/// The scene with Moreau and Jean's scheme, Bullet's search for contacts and projected Gauss and Seidel, until its end or until so much
/// processor time is spent.
grains::Figures run_siconos(const grains::Scene& scene, double step, int sweeps, double budget);
