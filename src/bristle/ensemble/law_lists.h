#pragma once
#include "bristle/friction/list_bristle.h"
#include "bristle/friction/list_dry.h"
#include "bristle/friction/list_smooth.h"
#include "bristle/friction/list_stretch.h"

namespace bristle {

/// Shows all friction laws, by type, to something that looks for one of them; see friction/register.h.
template <class Search>
Search find_law(Search search) {
  list_bristle_laws(search);
  list_smooth_laws(search);
  list_stretch_laws(search);
  list_dry_laws(search);
  return search;
}

}  // namespace bristle
