#include "bristle/model/sections.h"

namespace bristle {

const std::vector<ModelSection>& model_sections() {
  static const std::vector<ModelSection> sections = {
      {"bristle", "version of the model language", "version"},
      {"title", "one line about the model", "word"},
      {"description", "more about the model", "word"},
      {"parameters", "named numbers, usable everywhere; --set changes them", "parameters"},
      {"gravity", "acceleration of gravity on bodies in space [m/s^2]", "vector"},
      {"sections", "what beams are made of", "cross_section", true},
      {"bodies", "what moves", "body", true},
      {"states", "numbers with a rate of change of your own", "section_states", true},
      {"forces", "what pulls and pushes", "force", true},
      {"joints", "where surfaces rub", "joint", true},
      {"collisions", "bodies of which any two may meet", "section_collisions", true},
      {"analysis", "what to compute", "analysis"},
      {"record", "what goes into the result file", "section_record"},
      {"check", "what must hold", "section_check"}};
  return sections;
}

const ModelSection* find_section(std::string_view name) {
  for (const ModelSection& section : model_sections()) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

}  // namespace bristle
