#pragma once
#include <memory>
#include <vector>

#include "bristle/core/fused.h"

namespace bristle {

/// One evaluation by type, where the blocks that drive, pull and weigh are a combination that is common in small, fast models: scalar masses,
/// drives, springs, and places. Where all loads are constant and all places share a law it takes whole steps too (make_flat_system). May add
/// empty blocks. nullptr: evaluate block by block.
std::unique_ptr<FusedEvaluation> fuse_blocks(std::vector<std::unique_ptr<Block>>& blocks, const Layout& layout);

}  // namespace bristle
