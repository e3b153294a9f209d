#include "bristle/assemble/collisions.h"
#include "bristle/assemble/kinds.h"

namespace bristle {

std::vector<KindEntry> section_kinds() {
  using enum Field::Kind;
  KindEntry states{"states",
                   "numbers with a rate of change of your own: integral action, filters, temperatures; read as <state>.value",
                   {plain_field(signal, "rate", unit::per_second, any, "", "rate of change, an expression of t and channels"),
                    plain_field(number, "start", unit::one, any, "0", "value at the start")},
                   "states:\n  error: {rate: \"0.1 - block.velocity\", start: 0}\n",
                   ""};
  KindEntry record{"record",
                   "what goes into the result file",
                   {plain_field(number, "every", unit::second, positive, "1/4000 of the time",
                                "time between samples; the word step: every step"),
                    shaped_field("channels", "all", "names, with * for any characters", "names")},
                   "record: {every: 1 ms, channels: [\"block.*\", energy.residual]}\n",
                   ""};
  KindEntry check{"check",
                  "what must hold, or the program ends with code 4",
                  {plain_field(number, "energy", unit::one, positive, "not checked",
                               "largest residual of the energy ledger, relative to the energy involved")},
                  "check: {energy: 1e-6}\n",
                  ""};
  return {states, collision_kind(), record, check};
}

}  // namespace bristle
