#pragma once

namespace bristle {

/// `then()` where a question is answered by yes. For laws that are to serve several runs side by side, which may answer differently: Pack
/// has its own, which takes number by number what each of them needs.
template <class T, class Then>
T choose(bool yes, Then&& then, const T& otherwise) {
  return yes ? T(then()) : otherwise;
}

}  // namespace bristle
