#include "bristle/integrate/outcome.h"

namespace bristle {

const char* text_of(Cause cause) {
  switch (cause) {
    case Cause::none: return "";
    case Cause::error: return "local error";
    case Cause::newton: return "Newton did not converge";
    case Cause::singular_matrix: return "the matrix of the step is singular";
    case Cause::impulses: return "the impulses of the contacts were not found";
    case Cause::friction_unsettled: return "friction outside rigid contacts did not settle within the step";
    case Cause::gave_up: return "CVODE gave up";
    case Cause::shrunk: return "the step of CVODE has shrunk to nothing";
    case Cause::undefined: return "a value became infinite or undefined";
    case Cause::balance: return "reactions and friction do not find each other";
    case Cause::joints: return "the joints cannot be kept together";
    case Cause::turn: return "a body turns ever faster: the step is too long to count its turns";
    case Cause::singular_position: return "the step ends in a singular position of the joints";
    case Cause::branch: return "in a singular position of the joints the way to go on cannot be told";
    case Cause::memory: return "the memory of a friction law changes its course inside the step";
    case Cause::turned_slip: return "the slip of a place with memory turns back inside the step";
    case Cause::rest: return "a place at rest uses up its limit inside the step";
    case Cause::meeting: return "surfaces meet inside the step";
  }
  return "";
}

}  // namespace bristle
