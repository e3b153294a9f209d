// Texts for 8 runs side by side, compiled for processors with AVX-512. Whatever is compiled here must have a Pack in its name: functions that other sources
// have too may not come from here.
#include "bristle/ensemble/flat_text.h"
#include "bristle/ensemble/law_lists.h"
#include "bristle/math/pack.h"

namespace bristle {

const FlatText* flat_text_8(const void* law) { return find_law(FlatTextSearch<Pack<8>>{law}).found; }

}  // namespace bristle
