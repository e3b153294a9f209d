// Decompositions of matrices of any size, compiled once: include this instead of Eigen/Dense where one is used.
#pragma once

#include <Eigen/Dense>

namespace Eigen {

using AnyMatrix = EigenBase<MatrixXd>;  // what the templates below are made for
using AnyComplexMatrix = EigenBase<MatrixXcd>;

// what products of large matrices spend their time in
namespace internal {
using Kernel = gebp_traits<double, double>;
using Columns = blas_data_mapper<double, Index, ColMajor, 0, 1>;
using ConstColumns = const_blas_data_mapper<double, Index, ColMajor>;
using ConstRows = const_blas_data_mapper<double, Index, RowMajor>;
extern template struct gebp_kernel<double, double, Index, Columns, Kernel::mr, Kernel::nr, false, false>;
extern template struct gemm_pack_lhs<double, Index, ConstColumns, Kernel::mr, Kernel::LhsProgress, Kernel::LhsPacket4Packing,
                                     ColMajor>;
extern template struct gemm_pack_lhs<double, Index, ConstRows, Kernel::mr, Kernel::LhsProgress, Kernel::LhsPacket4Packing,
                                     RowMajor>;
extern template struct gemm_pack_rhs<double, Index, ConstColumns, Kernel::nr, ColMajor>;
extern template struct gemm_pack_rhs<double, Index, ConstRows, Kernel::nr, RowMajor>;
extern template struct general_matrix_vector_product<Index, double, ConstColumns, ColMajor, false, double, ConstColumns, false>;
extern template struct general_matrix_vector_product<Index, double, ConstColumns, ColMajor, false, double, ConstRows, false>;
extern template struct general_matrix_vector_product<Index, double, ConstRows, RowMajor, false, double, ConstColumns, false>;
extern template struct general_matrix_vector_product<Index, double, ConstRows, RowMajor, false, double, ConstRows, false>;
extern template struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;
extern template struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
extern template struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
extern template struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, RowMajor, ColMajor, 1>;
extern template struct triangular_solve_vector<double, double, Index, OnTheLeft, Lower, false, ColMajor>;
extern template struct triangular_solve_vector<double, double, Index, OnTheLeft, UnitLower, false, ColMajor>;
extern template struct triangular_solve_vector<double, double, Index, OnTheLeft, Upper, false, ColMajor>;
extern template struct triangular_solve_vector<double, double, Index, OnTheLeft, Upper, false, RowMajor>;
}  // namespace internal

extern template LLT<MatrixXd>& LLT<MatrixXd>::compute(const AnyMatrix&);
extern template void LLT<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
extern template LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const AnyMatrix&);
extern template void LDLT<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
extern template void PartialPivLU<MatrixXd>::compute();
extern template void FullPivLU<MatrixXd>::computeInPlace();
extern template void FullPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template void ColPivHouseholderQR<MatrixXd>::computeInPlace();
extern template void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template void CompleteOrthogonalDecomposition<MatrixXd>::computeInPlace();
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
extern template void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
extern template JacobiSVD<MatrixXd>& JacobiSVD<MatrixXd>::compute(const MatrixXd&, unsigned int);
extern template EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const AnyMatrix&, bool);
extern template EigenSolver<MatrixXd>::EigenvectorsType EigenSolver<MatrixXd>::eigenvectors() const;
extern template SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(const AnyMatrix&, int);
extern template GeneralizedSelfAdjointEigenSolver<MatrixXd>& GeneralizedSelfAdjointEigenSolver<MatrixXd>::compute(const MatrixXd&,
                                                                                                                  const MatrixXd&,
                                                                                                                  int);
extern template SelfAdjointEigenSolver<MatrixXcd>& SelfAdjointEigenSolver<MatrixXcd>::compute(const AnyComplexMatrix&, int);
extern template GeneralizedSelfAdjointEigenSolver<MatrixXcd>& GeneralizedSelfAdjointEigenSolver<MatrixXcd>::compute(
    const MatrixXcd&, const MatrixXcd&, int);

}  // namespace Eigen
