// Decompositions of matrices of any size, compiled once: include this instead of Eigen/Dense where one is used.
#pragma once

#include <Eigen/Dense>

namespace Eigen {

using AnyMatrix = EigenBase<MatrixXd>;  // what the templates below are made for

extern template class LLT<MatrixXd>;
extern template LLT<MatrixXd>& LLT<MatrixXd>::compute(const AnyMatrix&);
extern template class LDLT<MatrixXd>;
extern template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const AnyMatrix&);
extern template class PartialPivLU<MatrixXd>;
extern template class FullPivLU<MatrixXd>;
extern template class ColPivHouseholderQR<MatrixXd>;
extern template class CompleteOrthogonalDecomposition<MatrixXd>;
extern template class JacobiSVD<MatrixXd>;
extern template class BDCSVD<MatrixXd>;
extern template class RealSchur<MatrixXd>;
extern template class EigenSolver<MatrixXd>;
extern template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const AnyMatrix&, bool);
extern template class SelfAdjointEigenSolver<MatrixXd>;
extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const AnyMatrix&, int);
extern template class GeneralizedSelfAdjointEigenSolver<MatrixXd>;

}  // namespace Eigen
