#include "bristle/assemble/collisions.h"
#include "bristle/assemble/kinds.h"
#include "bristle/assemble/section_keys.h"

namespace bristle {

void RecordKeys::visit(Keys& keys) {
  constexpr const char* kStep = "step";  // every step, in place of a time
  keys.number_or(kStep, "every", every, unit::second, positive, "1/4000 of the time",
                 "time between samples; the word step: every step");
  keys.names("channels", channels, "all", "names, with * for any characters");
}

std::vector<KindEntry> section_kinds() {
  KindEntry states{"states",
                   "numbers with a rate of change of your own: integral action, filters, temperatures; read as <state>.value",
                   key_fields<StateKeys>(), "states:\n  error: {rate: \"0.1 - block.velocity\", start: 0}\n", ""};
  KindEntry record{"record", "what goes into the result file", key_fields<RecordKeys>(),
                   "record: {every: 1 ms, channels: [\"block.*\", energy.residual]}\n", ""};
  KindEntry check{"check", "what must hold, or the program ends with code 4", key_fields<CheckKeys>(), "check: {energy: 1e-6}\n",
                  ""};
  return {states, collision_kind(), record, check};
}

}  // namespace bristle
