#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bristle/place/place.h"

namespace bristle {

// Elements as they are collected from the model, by kind, until each kind becomes one block.

template <int D>
struct PlaceItems {
  std::vector<Place<Relative, D>> relative;
  std::vector<Place<LinearForm, D>> form;
  std::vector<Place<RowMeasure, D>> row;
  std::vector<std::string> relative_laws, form_laws, row_laws;
};

struct Parts {
  PlaceItems<1> places1;
  PlaceItems<2> places2;
  PlaceItems<3> places3;
};

}  // namespace bristle
