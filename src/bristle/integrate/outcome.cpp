#include "bristle/integrate/outcome.h"

#include <cstddef>

namespace bristle {

namespace {

constexpr struct {
  const char *name, *text;
} kWords[] = {  // in the order of Cause
    {"none", ""},
    {"error", "local error"},
    {"newton", "Newton did not converge"},
    {"singular_matrix", "the matrix of the step is singular"},
    {"impulses", "the impulses of the contacts were not found"},
    {"friction_unsettled", "friction outside rigid contacts did not settle within the step"},
    {"gave_up", "CVODE gave up"},
    {"shrunk", "the step of CVODE has shrunk to nothing"},
    {"undefined", "a value became infinite or undefined"},
    {"balance", "reactions and friction do not find each other"},
    {"joints", "the joints cannot be kept together"},
    {"turn", "a body turns ever faster: the step is too long to count its turns"},
    {"singular_position", "the step ends in a singular position of the joints"},
    {"branch", "in a singular position of the joints the way to go on cannot be told"},
    {"memory", "the memory of a friction law changes its course inside the step"},
    {"turned_slip", "the slip of a place with memory turns back inside the step"},
    {"rest", "a place at rest uses up its limit inside the step"},
    {"meeting", "surfaces meet inside the step"},
    {"unstable", "at the end of the step friction or contact is too fast for an explicit method and a step so long"}};
static_assert(sizeof kWords / sizeof kWords[0] == kCauses);

}  // namespace

const char* text_of(Cause cause) { return kWords[static_cast<std::size_t>(cause)].text; }
const char* name_of(Cause cause) { return kWords[static_cast<std::size_t>(cause)].name; }

}  // namespace bristle
