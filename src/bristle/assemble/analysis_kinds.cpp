#include "bristle/assemble/analysis.h"
#include "bristle/assemble/collisions.h"

namespace bristle {

std::vector<KindEntry> analysis_kinds() {
  using enum Field::Kind;
  const auto choice_of = [](const char* key, std::vector<std::string> words, const char* text) {
    Field f = shaped_field(key, words[0], text);
    f.kind = choice;
    f.words = std::move(words);
    return f;
  };
  KindEntry transient{
      "transient",
      "the motion from a start to an end, step by step",
      {plain_field(number, "end", unit::second, any, "", "end time"),
       plain_field(number, "start", unit::second, any, "0 s", "start time"),
       shaped_field("integrator", "", "the method: a name, or a map with type and settings; see `bristle list integrator`"),
       shaped_field("enforcement", "projection",
                    "how joints are kept: a name, or a map with type and settings; see `bristle list enforcement`"),
       choice_of("rest", {"events", "threshold"}, "how dry friction comes to rest: located in time, or a band of speeds"),
       plain_field(number, "max_step", unit::second, positive, "none", "largest step"),
       plain_field(number, "min_step", unit::second, positive, "rounding",
                   "smallest step before the run gives up; where Newton's iteration fails 1e-9 of the wanted step, unless given"),
       choice_of("from", {"start", "equilibrium"}, "where the motion begins: as the model gives it, or at rest in equilibrium"),
       choice_of("clock", {"exact", "late"}, "late: time stamps as in published tables with switched steps")},
      "analysis:\n  type: transient\n  end: 10 s\n  integrator: {type: radau5, tolerance: 1e-6}\n",
      "",
      {{"integrator", "integrator"}, {"enforcement", "enforcement"}}};
  const std::vector<Field> times = {
      plain_field(number, "end", unit::second, any, "", "end time"),
      plain_field(number, "start", unit::second, any, "0 s", "start time"),
      plain_field(number, "every", unit::second, positive, "as record, or 1/4000 of the time", "time between positions")};
  KindEntry kinematics{
      "kinematics",
      "the motion that drives of all freedoms prescribe: positions, velocities, accelerations, reactions without friction",
      times,
      "bodies: {block: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, block], at: [0, 0, 0], drive: {angle: \"sin(3*t)\"}}}\n"
      "analysis: {type: kinematics, end: 2 s, every: 10 ms}\n",
      "Every freedom must be driven. A position that does not exist (end of travel, dead centre) ends the analysis with code 3;\n"
      "what was computed before it is kept.\n",
      {}};
  KindEntry inverse{
      "inverse_dynamics",
      "kinematics, and what the drives have to give for it: peak, rms and work, with friction of laws without memory",
      times,
      "bodies: {block: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, block], at: [0, 0, 0], drive: {angle: \"sin(3*t)\"}}}\n"
      "analysis: {type: inverse_dynamics, end: 2 s, every: 10 ms}\n",
      "Channel <joint>.drive.force: force or torque of the drive along its motion.\n",
      {}};
  const Field time = plain_field(number, "time", unit::second, any, "0 s", "for loads and drives that change with t");
  KindEntry statics{
      "statics",
      "an equilibrium near the start, without friction: positions, reactions, whether it is stable",
      {time, choice_of("accept", {"stable", "any"}, "any: stay where the start is an unstable equilibrium"),
       plain_field(number, "tolerance", unit::one, positive, "1e-11", "forces left, relative to the largest"),
       choice_of("control", {"descent", "load", "arc_length"},
                 "how it is found: downhill; by loads that grow in steps; along the curve of equilibria"),
       plain_field(number, "step", unit::one, positive, "1",
                   "largest step: share of the load; along the arc: angle [rad], or length over that of the mechanism"),
       plain_field(integer, "points", unit::one, Range{1, 1e6, false, false}, "2000", "of load and arc_length: at most")},
      "analysis: {type: statics}\n",
      "With control load or arc_length the loads grow from nothing: forces of type force, torque, line_load and load, gravity, and drag by\n"
      "a wind are multiplied by the share of the load. Springs, drives and joints are there from the start; what they leave out of balance\n"
      "is let go before the loads come. The result file has a sample for each point on the way; its time is the share of the load. Every\n"
      "equilibrium counts, stable or not. arc_length passes points where the load has to fall: snap-through, buckling with an imperfection.\n",
      {}};
  const Field about =
      choice_of("about", {"start", "equilibrium"}, "which state: as the model gives it, or an equilibrium near it");
  const Field axes = choice_of("axes", {"world", "body"}, "of turns of rigid bodies, where the state moves");
  const std::vector<Field> rotation = {
      shaped_field("axis", "z", "direction of the axis of rotation"), shaped_field("at", "[0, 0, 0]", "a point on it"),
      choice_of("frame", {"turning", "stationary"},
                "where the rotation stands still: turning: supports alike in all directions; stationary: rotors that are"),
      shaped_field("still", "none", "bodies that do not turn; a beam stands for its nodes")};
  KindEntry modes{
      "modes",
      "frequencies, damping and shapes about a state, without friction",
      joined({about, time, axes,
              plain_field(number, "speed", unit::radian_per_second, any, "no rotation",
                          "of a steady rotation, about which the modes are")},
             rotation),
      "analysis: {type: modes}\n",
      "With speed the whole model, but what is named under still, turns steadily about the axis: the form that centrifugal loads give it\n"
      "is found first, and the modes are those about it, with gyroscopic and centrifugal terms. Their whirl is 1 for circles along the\n"
      "rotation, -1 against it. A model that would not look the same while it turns is refused.\n",
      {{"axis", "direction"}, {"at", "vector"}, {"still", "names"}}};
  KindEntry campbell{
      "campbell",
      "modes over the speed of rotation, and critical speeds, without friction",
      joined({shaped_field("speeds", "", "of rotation: {from, to, count}, or a list [rad/s]"),
              plain_field(list, "orders", unit::one, non_negative, "1, in the turning frame 0",
                          "of critical speeds: forces that turn so many times as fast as the rotor, as seen in the frame"),
              plain_field(integer, "modes", unit::one, Range{1, 1000, false, false}, "8", "that are followed, the lowest ones"),
              time},
             rotation),
      "bodies: {rotor: {type: rigid, mass: 1 kg, inertia: [1, 1, 2]}}\n"
      "joints: {bearing: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
      "analysis: {type: campbell, axis: z, speeds: {from: 0, to: 3000 rpm, count: 31}, frame: stationary}\n",
      "Each mode is followed by its shape from speed to speed. A critical speed is solved for: there a force of the order meets a\n"
      "resonance of the model without its damping. Unbalance has the order 1 in the stationary frame and 0 in the turning one. The result\n"
      "file has a sample for each speed, with the speed in the place of the time, and campbell.json has it all.\n",
      {{"axis", "direction"}, {"at", "vector"}, {"still", "names"}, {"speeds", "speeds"}}};
  KindEntry linear{
      "linearise",
      "matrices of small motions about a state, without friction: x' = A x + B u, y = C x + D u",
      {about, time, axes, shaped_field("inputs", "none", "names of loads whose forces are u"),
       shaped_field("outputs", "none", "channels that are y, with * for any characters"),
       choice_of("write", {"json", "csv", "npz"}, "beside linear.json: each matrix as a table, or all in linear.npz")},
      "forces: {motor: {type: load, on: block, force: 0 N}}\n"
      "analysis: {type: linearise, about: equilibrium, inputs: [motor], outputs: [block.*]}\n",
      "",
      {{"inputs", "names"}, {"outputs", "names"}}};
  return {transient, kinematics, inverse, statics, modes, campbell, linear};
}

std::vector<KindEntry> section_kinds() {
  using enum Field::Kind;
  KindEntry states{"states",
                   "numbers with a rate of change of your own: integral action, filters, temperatures; read as <state>.value",
                   {plain_field(signal, "rate", unit::per_second, any, "", "rate of change, an expression of t and channels"),
                    plain_field(number, "start", unit::one, any, "0", "value at the start")},
                   "states:\n  error: {rate: \"0.1 - block.velocity\", start: 0}\n",
                   "",
                   {}};
  KindEntry record{"record",
                   "what goes into the result file",
                   {plain_field(number, "every", unit::second, positive, "1/4000 of the time",
                                "time between samples; the word step: every step"),
                    shaped_field("channels", "all", "names, with * for any characters")},
                   "record: {every: 1 ms, channels: [\"block.*\", energy.residual]}\n",
                   "",
                   {{"channels", "names"}}};
  KindEntry check{"check",
                  "what must hold, or the program ends with code 4",
                  {plain_field(number, "energy", unit::one, positive, "not checked",
                               "largest residual of the energy ledger, relative to the energy involved")},
                  "check: {energy: 1e-6}\n",
                  "",
                  {}};
  return {states, collision_kind(), record, check};
}

}  // namespace bristle
