#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/plan.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

// Places where elements rub and press.

/// `friction` and `smoothing` of an element; `load` [N] where it is constant.
template <int D>
std::unique_ptr<FrictionLaw<D>> read_law(const Plan& plan, Reader& reader, std::optional<double> load, std::string& law_name);
/// No key is left that nobody asked for; `smoothing` is asked for by friction alone.
void finish_rubbing(Reader& reader);
/// Blocks of all places.
void make_places(Plan& plan);
/// Where an ideal joint rubs.
void add_bearing(Plan& plan, Reader& reader, const std::string& name, const BearingPlan& rub, const Marker& A, const Marker& B,
                 const std::vector<int>& slots, const std::vector<int>& slip_rows);
/// A place between surfaces whose gap and slip are rows. `placed`: slips are positions too. True: its law is dry.
template <int D>
bool add_press_place(Plan& plan, PlaceItems<D>& items, Reader& reader, const std::string& name, int gap, const int* slip,
                     const ContactPair& pair, bool placed = false);
/// Surfaces that may touch: rows of gaps and slips, and a place at each of their points.
void add_touch(Plan& plan, Reader& reader, const std::string& name, std::unique_ptr<Geometry> geometry, const Marker& A,
               const Marker& B);
/// Two surfaces, one on each side of a sum of motions: gaps clearance -+ (sum - center), both times the arm of a rotary one.
void add_play(Plan& plan, Reader& reader, const std::string& name, const std::vector<int>& rows,
              const std::vector<double>& factors, double center, bool rotary);

}  // namespace bristle
