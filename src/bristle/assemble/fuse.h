#pragma once
#include <memory>
#include <vector>

#include "bristle/core/fused.h"

namespace bristle {

/// One evaluation by type, where the blocks that drive, pull and weigh are a combination that is common in small, fast models:
/// scalar masses, drives, springs, LuGre places. Where all loads are constant it takes whole steps too. May add empty blocks. nullptr:
/// evaluate block by block.
std::unique_ptr<FusedEvaluation> fuse_blocks(std::vector<std::unique_ptr<Block>>& blocks);

}  // namespace bristle
