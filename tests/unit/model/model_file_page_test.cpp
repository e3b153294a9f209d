// The examples of docs/modeling/model-file.md must be true.
#include <gtest/gtest.h>

#include <string>

#include "bristle/input/yaml.h"
#include "bristle/model/scope.h"
#include "bristle/signal/parse.h"

namespace bristle {
namespace {

#ifdef BRISTLE_SOURCE_DIR
TEST(ModelFilePage, every_example_reads) {
  const std::string page = read_text_file(BRISTLE_SOURCE_DIR "/docs/modeling/model-file.md");
  const std::string fence = "```yaml\n";
  int count = 0;
  for (std::size_t start = page.find(fence); start != std::string::npos; start = page.find(fence, start + 1), ++count) {
    const std::size_t from = start + fence.size();
    const std::string text = page.substr(from, page.find("```", from) - from);
    const Node root = read_yaml_text(text, "example");
    const ParameterScope scope(root.find("parameters"));
    for (const auto& [key, node] : root.children)
      if (node.is_scalar() && key != "title" && key != "include") {
        EXPECT_NO_THROW(parse_signal(node.text, scope, node.where_of_text())) << key << ": " << node.text;
      }
  }
  EXPECT_GE(count, 6);
}
#endif

}  // namespace
}  // namespace bristle
