#pragma once
#include <string>
#include <vector>

#include "bristle/body/scalar.h"
#include "bristle/force/pull.h"
#include "bristle/force/pull_laws.h"
#include "bristle/place/place.h"

namespace bristle {

// Elements as they are collected from the model, by kind, until each kind becomes one block.

template <class Law>
struct PullItems {
  std::vector<typename PullBlock<Law, Relative>::Item> relative;
  std::vector<typename PullBlock<Law, LinearForm>::Item> form;
  std::vector<typename PullBlock<Law, RowMeasure>::Item> row;
  struct Named {
    std::string name;
    bool rotary;
  };
  std::vector<Named> relative_names, form_names, row_names;
};

template <int D>
struct PlaceItems {
  std::vector<Place<Relative, D>> relative;
  std::vector<Place<LinearForm, D>> form;
  std::vector<Place<RowMeasure, D>> row;
  std::vector<std::string> relative_laws, form_laws, row_laws;
};

struct Parts {
  std::vector<ScalarMasses::Item> masses;
  std::vector<DrivenCoordinates::Item> drives;
  PullItems<Spring> springs;
  PullItems<Damper> dampers;
  PullItems<DeadBand> dead_bands;
  PullItems<OneWay> one_ways;
  PullItems<TableSpring> tables;
  PullItems<Stops> stops;
  std::vector<LoadBlock<LinearForm>::Item> loads;
  std::vector<std::pair<std::string, bool>> load_names;
  PlaceItems<1> places1;
  PlaceItems<2> places2;
  PlaceItems<3> places3;
};

}  // namespace bristle
