#include "bristle/math/decompositions.h"

namespace Eigen {

template class LLT<MatrixXd>;
template LLT<MatrixXd>& LLT<MatrixXd>::compute(const AnyMatrix&);
template class LDLT<MatrixXd>;
template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const AnyMatrix&);
template class PartialPivLU<MatrixXd>;
template class FullPivLU<MatrixXd>;
template class ColPivHouseholderQR<MatrixXd>;
template class CompleteOrthogonalDecomposition<MatrixXd>;
template class JacobiSVD<MatrixXd>;
template class BDCSVD<MatrixXd>;
template class RealSchur<MatrixXd>;
template class EigenSolver<MatrixXd>;
template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const AnyMatrix&, bool);
template class SelfAdjointEigenSolver<MatrixXd>;
template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const AnyMatrix&, int);
template class GeneralizedSelfAdjointEigenSolver<MatrixXd>;

}  // namespace Eigen
