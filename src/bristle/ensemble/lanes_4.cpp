// Texts for 4 runs side by side, compiled for processors with AVX2. Whatever is compiled here must have a Pack in its name: functions that other sources
// have too may not come from here.
#include "bristle/ensemble/flat_text.h"
#include "bristle/ensemble/law_lists.h"
#include "bristle/math/pack.h"

namespace bristle {

const FlatText* flat_text_4(const void* law) { return find_law(FlatTextSearch<Pack<4>>{law}).found; }

}  // namespace bristle
