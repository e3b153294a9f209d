// Texts for 2 runs side by side, compiled for any processor. Whatever is compiled here must have a Pack in its name: functions that other sources
// have too may not come from here.
#include "bristle/ensemble/flat_text.h"
#include "bristle/ensemble/law_lists.h"
#include "bristle/math/pack.h"

namespace bristle {

const FlatText* flat_text_2(const void* law) { return find_law(FlatTextSearch<Pack<2>>{law}).found; }

}  // namespace bristle
