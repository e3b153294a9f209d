#include "bristle/core/readings.h"

namespace bristle {

void Readings::add(const ReadingFacet& block) {
  blocks_.push_back(&block);
  if (block.watch_count() > 0) watched_.push_back(&block);
  if (block.loaded_count() > 0) loaded_.push_back(&block);
  if (block.may_be_troubled()) troubled_.push_back(&block);
  watch_count_ += block.watch_count();
  pace_count_ += block.pace_count();
  loaded_count_ += block.loaded_count();
}

double Readings::calc_excess(const double* z) const {
  double worst = 0;
  for (const ReadingFacet* block : blocks_) {
    const double excess = block->calc_excess(z);
    if (!(excess <= worst)) worst = excess;
  }
  return worst;
}

void Readings::loaded_accounts(int* friction, int* load) const {
  for (const ReadingFacet* block : loaded_) {
    block->loaded_accounts(friction, load);
    friction += block->loaded_count();
    load += block->loaded_count();
  }
}

void Readings::calc_loaded(const Eval& e, LoadedMemory* at) const {
  for (const ReadingFacet* block : loaded_) {
    block->calc_loaded(e, at);
    at += block->loaded_count();
  }
}

void Readings::calc_watched(const Eval& e, double* watched) const {
  for (const ReadingFacet* block : watched_) {
    block->calc_watched(e, watched);
    watched += block->watch_count();
  }
}

Overrun Readings::calc_overrun(const Eval& end, double h, const double* watched, const double* z_start) const {
  Overrun worst;
  for (const ReadingFacet* block : watched_) {
    worst.merge(block->calc_overrun(end, h, watched, z_start));
    watched += block->watch_count();
  }
  return worst;
}

void Readings::calc_paces(const Eval& e, Pace* pace, double* speed) const {
  for (const ReadingFacet* block : blocks_) {
    block->calc_paces(e, pace, speed);
    pace += block->pace_count();
    speed += block->pace_count();
  }
}

void Readings::calc_modes(const Eval& e, Mode* mode) const {
  for (const ReadingFacet* block : blocks_) {
    block->calc_modes(e, mode);
    mode += block->pace_count();
  }
}

void Readings::calc_outputs(const Eval& e, double* out) const {
  for (const ReadingFacet* block : blocks_) {
    block->calc_outputs(e, out);
    out += block->output_count();
  }
}

std::string Readings::trouble(const Eval& e) const {
  for (const ReadingFacet* block : troubled_) {
    if (std::string sentence = block->trouble(e); !sentence.empty()) return sentence;
  }
  return {};
}

}  // namespace bristle
