#include "bristle/math/decompositions.h"

namespace Eigen {

namespace internal {
template struct gebp_kernel<double, double, Index, Columns, Kernel::mr, Kernel::nr, false, false>;
template struct gemm_pack_lhs<double, Index, ConstColumns, Kernel::mr, Kernel::LhsProgress, Kernel::LhsPacket4Packing, ColMajor>;
template struct gemm_pack_lhs<double, Index, ConstRows, Kernel::mr, Kernel::LhsProgress, Kernel::LhsPacket4Packing, RowMajor>;
template struct gemm_pack_rhs<double, Index, ConstColumns, Kernel::nr, ColMajor>;
template struct gemm_pack_rhs<double, Index, ConstRows, Kernel::nr, RowMajor>;
template struct general_matrix_vector_product<Index, double, ConstColumns, ColMajor, false, double, ConstColumns, false>;
template struct general_matrix_vector_product<Index, double, ConstColumns, ColMajor, false, double, ConstRows, false>;
template struct general_matrix_vector_product<Index, double, ConstRows, RowMajor, false, double, ConstColumns, false>;
template struct general_matrix_vector_product<Index, double, ConstRows, RowMajor, false, double, ConstRows, false>;
template struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;
template struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
template struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
template struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, RowMajor, ColMajor, 1>;
template struct triangular_solve_vector<double, double, Index, OnTheLeft, Lower, false, ColMajor>;
template struct triangular_solve_vector<double, double, Index, OnTheLeft, UnitLower, false, ColMajor>;
template struct triangular_solve_vector<double, double, Index, OnTheLeft, Upper, false, ColMajor>;
template struct triangular_solve_vector<double, double, Index, OnTheLeft, Upper, false, RowMajor>;
}  // namespace internal

template LLT<MatrixXd>& LLT<MatrixXd>::compute(const AnyMatrix&);
template void LLT<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const AnyMatrix&);
template void LDLT<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
template void PartialPivLU<MatrixXd>::compute();
template void FullPivLU<MatrixXd>::computeInPlace();
template void FullPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template void ColPivHouseholderQR<MatrixXd>::computeInPlace();
template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
template JacobiSVD<MatrixXd>& JacobiSVD<MatrixXd>::compute(const MatrixXd&, unsigned int);
template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const AnyMatrix&, bool);
template EigenSolver<MatrixXd>::EigenvectorsType EigenSolver<MatrixXd>::eigenvectors() const;
template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const AnyMatrix&, int);
template GeneralizedSelfAdjointEigenSolver<MatrixXd>& GeneralizedSelfAdjointEigenSolver<MatrixXd>::compute(const MatrixXd&,
                                                                                                           const MatrixXd&, int);
template SelfAdjointEigenSolver<MatrixXcd>& SelfAdjointEigenSolver<MatrixXcd>::compute(const AnyComplexMatrix&, int);
template GeneralizedSelfAdjointEigenSolver<MatrixXcd>& GeneralizedSelfAdjointEigenSolver<MatrixXcd>::compute(const MatrixXcd&,
                                                                                                             const MatrixXcd&,
                                                                                                             int);

}  // namespace Eigen
