#include "bristle/signal/parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <string>

namespace bristle {
namespace {

class TestScope : public Scope {
 public:
  std::optional<Quantity> find(std::string_view name) const override {
    const auto it = values_.find(name);
    return it == values_.end() ? std::nullopt : std::optional(it->second);
  }
  bool is_channel(std::string_view name) const override { return name == "slip"; }
  std::vector<std::string_view> names() const override { return {"k0", "mass", "s", "count"}; }

 private:
  std::map<std::string, Quantity, std::less<>> values_ = {
      {"k0", {100, {0, 1, -2, 0}}}, {"mass", {2, {0, 1, 0, 0}}}, {"s", {7, {}}}, {"count", {3, {}}}};
};

const TestScope kScope;
const Where kWhere{"model.yaml", 4, 10};

double value(std::string_view text) { return parse_quantity(text, kScope, kWhere).value; }
std::string dimension(std::string_view text) { return dimension_text(parse_quantity(text, kScope, kWhere).dimension); }
std::string problem(std::string_view text) {
  try {
    parse_signal(text, kScope, kWhere);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}
void expect_problem(std::string_view text, std::string_view part) {
  const std::string found = problem(text);
  EXPECT_NE(found.find(part), std::string::npos) << "'" << text.substr(0, 60) << "' gave: " << found;
}

TEST(Expression, numbers_and_operators_have_the_usual_order) {
  const std::pair<const char*, double> cases[] = {
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"2^-1", 0.5},
      {"-2*-3", 6},
      {"8/4/2", 1},
      {"1-2-3", -4},
      {"1e3", 1000},
      {".5", 0.5},
      {"2.", 2},
      {"1.5E-2", 0.015},
      {"+3", 3},
      {"--3", 3},
      {"1 < 2", 1},
      {"2 <= 1", 0},
      {"1 == 1 and 2 > 3", 0},
      {"1 or 0 and 0", 1},
      {"not 1 == 2", 1},
      {"!0", 1},
      {"1 && 0 || 1", 1},
      {"3 != 3", 0},
      {"2 > 1", 1},
      {"1 >= 2", 0},
      {"2*-3", -6},
      {"-pi", -std::numbers::pi},
      {"e", std::numbers::e},
      {"count^2", 9},
  };
  for (const auto& [text, expected] : cases) EXPECT_DOUBLE_EQ(value(text), expected) << text;
}

TEST(Expression, functions_give_their_values) {
  const std::pair<const char*, double> cases[] = {
      {"sin(1)", std::sin(1)},
      {"cos(1)", std::cos(1)},
      {"tan(1)", std::tan(1)},
      {"asin(0.5)", std::asin(0.5)},
      {"acos(0.5)", std::acos(0.5)},
      {"atan(2)", std::atan(2)},
      {"atan2(1, -1)", std::atan2(1, -1)},
      {"sinh(1)", std::sinh(1)},
      {"cosh(1)", std::cosh(1)},
      {"tanh(1)", std::tanh(1)},
      {"exp(1)", std::exp(1)},
      {"log(2)", std::log(2)},
      {"log10(1000)", 3},
      {"sqrt(9)", 3},
      {"abs(-3)", 3},
      {"sign(-3)", -1},
      {"sign(0)", 0},
      {"floor(-1.5)", -2},
      {"step(0)", 1},
      {"step(-1e-9)", 0},
      {"min(3, 1, 2)", 1},
      {"max(3, 1, 2)", 3},
      {"min(4)", 4},
      {"clamp(5, 0, 1)", 1},
      {"clamp(-5, 0, 1)", 0},
      {"mod(7, 3)", 1},
      {"mod(-1, 3)", 2},
      {"if(1 < 2, 10, 20)", 10},
      {"if(0, 10, 20)", 20},
      {"if(0, 1/0, 5)", 5},
  };
  for (const auto& [text, expected] : cases) EXPECT_DOUBLE_EQ(value(text), expected) << text;
}

TEST(Expression, a_number_alone_may_carry_any_unit) {
  EXPECT_EQ(value("50 um"), 5e-5);
  EXPECT_EQ(value("50um"), 5e-5);
  EXPECT_EQ(value("80 µm"), 8e-5);
  EXPECT_EQ(value("3 mm/s"), 3e-3);
  EXPECT_EQ(value("-3 mm/s"), -3e-3);
  EXPECT_EQ(value("66 GN/m^1.5"), 66e9);
  EXPECT_EQ(value("2 N s/m"), 2);
  EXPECT_EQ(value("100 1/s"), 100);
  EXPECT_EQ(value("1e5 [1/m]"), 1e5);
  EXPECT_EQ(value("5 min"), 300);
  EXPECT_EQ(value("0.1 ms"), 1e-4);
  EXPECT_DOUBLE_EQ(value("3000 rpm"), 100 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("20 deg"), std::numbers::pi / 9);
  EXPECT_EQ(dimension("15 MN/m"), "kg/s^2");
  // a unit wins over a parameter of the same name
  EXPECT_EQ(value("3 s"), 3);
  EXPECT_EQ(value("3*s"), 21);
}

TEST(Expression, a_number_inside_carries_one_word_or_brackets) {
  EXPECT_DOUBLE_EQ(value("3 mm + 2 um"), 3.002e-3);
  EXPECT_DOUBLE_EQ(value("2 mm^2 + 0"), 2e-6);
  EXPECT_DOUBLE_EQ(value("2 mm² + 0"), 2e-6);
  EXPECT_DOUBLE_EQ(value("5 [mm/s] * 2 s"), 0.01);
  EXPECT_DOUBLE_EQ(value("10 N/2 m"), 5);
  EXPECT_DOUBLE_EQ(value("min(5 min, 1 h)"), 300);
  expect_problem("3 mm/s * t", "3 [mm/s]");
  expect_problem("3 N*s + 1", "in brackets");
  expect_problem("2 mm^count", "brackets");
  expect_problem("2 min(1, 2)", "operator such as * is missing");
  expect_problem("100/m", "A unit stands behind a number");
  expect_problem("5 [mm", "no ']'");
  expect_problem("5 [furlong]", "unknown unit 'furlong'");
  expect_problem("2 k0", "operator such as * is missing before 'k0'");
  expect_problem("2 mass", "unknown unit 'mass'");
  expect_problem("2 mass", "a product write *");
}

TEST(Expression, constants_know_their_dimension) {
  EXPECT_EQ(dimension("2*mass*9.81 [m/s^2]"), "kg m/s^2");
  EXPECT_EQ(dimension("sqrt(k0/mass)"), "1/s");
  EXPECT_EQ(dimension("k0^2"), "kg^2/s^4");
  EXPECT_EQ(dimension("k0 + 5"), "kg/s^2");
  EXPECT_EQ(dimension("5 - k0"), "kg/s^2");
  EXPECT_EQ(dimension("sign(k0) + (k0 > 3)"), "1");
  EXPECT_EQ(dimension("if(1, 2 mm, 3)"), "m");
  EXPECT_EQ(dimension("max(2 mm, 1 m)"), "m");
}

TEST(Expression, different_dimensions_do_not_add) {
  expect_problem("k0 + mass", "different units, kg/s^2 and kg");
  expect_problem("1 mm < 1 s", "different units");
  expect_problem("min(1 mm, 1 s)", "different units");
  expect_problem("if(1, 1 mm, 1 s)", "different units");
  expect_problem("sin(2 m)", "needs a plain number");
  expect_problem("2^(3 m)", "exponent needs a plain number");
}

TEST(Expression, a_field_takes_plain_numbers_and_its_own_dimension) {
  const auto in = [](std::string_view text) { return parse_signal(text, kScope, kWhere, unit::newton_per_metre).constant(); };
  EXPECT_EQ(in("5"), 5);
  EXPECT_EQ(in("2*k0"), 200);
  EXPECT_EQ(in("1 kN/mm"), 1e6);
  EXPECT_THROW(in("5 mm"), InputError);
  EXPECT_NO_THROW(parse_signal("k0*t", kScope, kWhere, unit::newton_per_metre));
  try {
    in("2*mass");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("needs a value in N/m, but has the unit kg"), std::string::npos) << error.what();
  }
}

TEST(Expression, time_and_channels_become_inputs) {
  const Signal s = parse_signal("pin.gap * sin(t) + pin.gap + rod.tip.position + slip", kScope, kWhere);
  ASSERT_EQ(s.inputs().size(), 4u);
  EXPECT_EQ(s.inputs()[0].name, "pin.gap");
  EXPECT_EQ(s.inputs()[1].kind, Signal::Input::Kind::time);
  EXPECT_EQ(s.inputs()[2].name, "rod.tip.position");
  EXPECT_EQ(s.inputs()[2].where.text(), "model.yaml:4:39");
  EXPECT_EQ(s.inputs()[3].name, "slip");
  EXPECT_FALSE(s.is_constant());
  EXPECT_FALSE(s.depends_on_time_only());
  const double inputs[] = {2, 0.5, 3, 4};
  EXPECT_DOUBLE_EQ(s.eval(inputs), 2 * std::sin(0.5) + 2 + 3 + 4);
  EXPECT_TRUE(parse_signal("2*t", kScope, kWhere).depends_on_time_only());
  EXPECT_TRUE(parse_signal("2", kScope, kWhere).depends_on_time_only());
  // what is folded away is not read
  EXPECT_TRUE(parse_signal("if(count > 5, pin.gap, 2)", kScope, kWhere).is_constant());
}

TEST(Expression, a_constant_may_not_depend_on_time) {
  try {
    value("2*t");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "model.yaml:4:12  a constant is needed here, but '2*t' depends on time, t");
  }
  EXPECT_THROW(value("pin.gap"), InputError);
}

TEST(Expression, errors_name_column_and_way_out) {
  EXPECT_EQ(problem("2*kk0"), "model.yaml:4:12  unknown name 'kk0'. Did you mean 'k0'?");
  EXPECT_EQ(problem("2 * (1 + 3"), "model.yaml:4:14  this '(' is never closed");
  EXPECT_EQ(problem("1 +"), "model.yaml:4:13  the expression ends where a value is expected");
  // columns count characters, not bytes, and go on in the next line
  EXPECT_EQ(problem("5 µm + zz").substr(0, 15), "model.yaml:4:17");
  EXPECT_EQ(problem("1 +\n zz").substr(0, 15), "model.yaml:5:11");
  expect_problem("", "is empty");
  expect_problem("   ", "is empty");
  expect_problem("1 2", "operator such as * is missing before '2'");
  expect_problem("(1))", "closes nothing");
  expect_problem("1 = 2", "written ==");
  expect_problem("2**3", "written with ^");
  expect_problem("5 % 2", "mod(a, b)");
  expect_problem("0 < 1 < 2", "0 < x and x < 1");
  expect_problem("sine(1)", "Did you mean 'sin'");
  expect_problem("ln(1)", "natural logarithm is log");
  expect_problem("pow(1, 2)", "a^b");
  expect_problem("sin(1, 2)", "sin takes 1 argument, got 2");
  expect_problem("if(1, 2)", "if takes 3 arguments, got 2");
  expect_problem("min()", "got 0");
  expect_problem("sin", "argument in parentheses");
  expect_problem("k0(3)", "is a parameter");
  expect_problem("$", "unexpected '$'");
  expect_problem("ж", "unexpected 'ж'");
  expect_problem("and 1", "value is expected before 'and'");
  expect_problem("qwertz", "Define it under parameters:");
  expect_problem("1e999", "outside the range");
  expect_problem("1/0", "no finite value");
  expect_problem("log(-1) * t", "no finite value");
  expect_problem("1,2", "unexpected ','");
}

TEST(Expression, limits_give_errors_and_no_crash) {
  expect_problem(std::string(5000, '('), "nested deeper than 200");
  expect_problem(std::string(9000, '-') + "1", "nested deeper than 200");
  std::string tower = "t";
  for (int i = 0; i < 300; ++i) tower += "^t";
  expect_problem(tower, "nested deeper than 200");
  expect_problem(std::string(20000, '1'), "the limit is 10000");
  std::string many = "t";
  for (int i = 1; i < 400; ++i) many += "+" + std::to_string(i) + "*t";
  expect_problem(many, "more than 256 operations");
  // deep but allowed
  EXPECT_DOUBLE_EQ(value(std::string(150, '(') + "1" + std::string(150, ')')), 1);
}

TEST(Expression, equal_parts_are_computed_once) {
  std::string text = "sin(t)";
  for (int i = 0; i < 150; ++i) text += "*sin(t)";  // 302 operations as written
  EXPECT_NO_THROW(parse_signal(text, kScope, kWhere));
}

TEST(Expression, lists_the_names_it_depends_on) {
  const std::vector<std::string> names = names_in_expression("k0*sin(mass) + 3 s + pin.gap + k0*t + pi", kWhere);
  EXPECT_EQ(names, (std::vector<std::string>{"k0", "mass", "pin.gap", "t"}));
  EXPECT_TRUE(is_reserved_name("t"));
  EXPECT_TRUE(is_reserved_name("min"));
  EXPECT_FALSE(is_reserved_name("k"));
}

// --- derivatives ---

const char* const kSmooth[] = {
    "x.q*t",
    "x.q/t",
    "x.q - t + 3",
    "-x.q",
    "x.q^2",
    "x.q^2.5",
    "x.q^t",
    "2^x.q",
    "sin(x.q*t)",
    "cos(x.q)",
    "tan(x.q)",
    "asin(x.q/3)",
    "acos(x.q/3)",
    "atan(x.q)",
    "atan2(x.q, t)",
    "sinh(x.q)",
    "cosh(x.q)",
    "tanh(x.q*t)",
    "exp(-x.q)",
    "log(x.q)",
    "log10(x.q)",
    "sqrt(x.q)",
    "abs(-x.q)",
    "min(x.q, 5)",
    "max(x.q, t)",
    "clamp(x.q, 0, 1)",
    "mod(x.q, 0.5)",
    "if(x.q > 1, x.q^3, 0)",
    "(x.q - 5)^3",
    "x.q*(x.q < 3)",
    "3*exp(-(x.q/t)^2)*sin(x.q)",
};

/// Value at x.q = x, t = y.
template <class T>
T eval_at(const Signal& s, const T& x, const T& y) {
  std::vector<T> inputs;
  for (const Signal::Input& in : s.inputs()) inputs.push_back(in.name.empty() ? y : x);
  return s.eval(inputs.data());
}

TEST(Signal, derivatives_agree_with_differences) {
  const double x = 1.3, y = 0.7, h = 1e-6;
  for (const char* text : kSmooth) {
    const Signal s = parse_signal(text, kScope, kWhere);
    using D = Dual<2>;
    const D f = eval_at(s, D::variable(x, 0), D::variable(y, 1));
    const double fx = (eval_at(s, x + h, y) - eval_at(s, x - h, y)) / (2 * h);
    const double fy = (eval_at(s, x, y + h) - eval_at(s, x, y - h)) / (2 * h);
    EXPECT_DOUBLE_EQ(f.value, eval_at(s, x, y)) << text;
    // central differences: error about h^2 f''' + 1e-16/h
    EXPECT_NEAR(f.d[0], fx, 1e-8) << text;
    EXPECT_NEAR(f.d[1], fy, 1e-8) << text;
  }
}

TEST(Signal, second_derivatives_agree_with_differences_of_first_ones) {
  const double x = 1.3, y = 0.7, h = 1e-6;
  using D = Dual<1>;
  using DD = Dual<1, Dual<1>>;
  for (const char* text : kSmooth) {
    const Signal s = parse_signal(text, kScope, kWhere);
    const DD f = eval_at(s, DD::variable(D::variable(x, 0), 0), DD(y));
    const auto slope = [&](double at) { return eval_at(s, D::variable(at, 0), D(y)).d[0]; };
    EXPECT_NEAR(f.d[0].d[0], (slope(x + h) - slope(x - h)) / (2 * h), 1e-7) << text;
  }
}

TEST(Signal, a_branch_that_is_not_taken_leaves_no_trace) {
  using D = Dual<1>;
  for (const char* text : {"sqrt(max(0, x.q))", "if(x.q > 0, sqrt(x.q), 0)", "max(0, x.q)^0.5", "if(x.q > 0, log(x.q), 0)"}) {
    const D f = eval_at(parse_signal(text, kScope, kWhere), D::variable(-1, 0), D(0.0));
    EXPECT_EQ(f.value, 0) << text;
    EXPECT_EQ(f.d[0], 0) << text;
  }
}

TEST(Signal, powers_of_negative_numbers_have_derivatives) {
  const Dual<1> f = eval_at(parse_signal("x.q^3", kScope, kWhere), Dual<1>::variable(-2, 0), Dual<1>(0.0));
  EXPECT_EQ(f.value, -8);
  EXPECT_EQ(f.d[0], 12);
}

TEST(Signal, constants_are_signals_too) {
  const Signal zero, two(2.0);
  EXPECT_TRUE(zero.is_constant());
  EXPECT_EQ(zero.constant(), 0);
  EXPECT_EQ(two.eval<double>(nullptr), 2);
  EXPECT_EQ(two.eval<Dual<2>>(nullptr).d[1], 0);
  EXPECT_EQ(two.text(), "2");
  EXPECT_EQ(parse_signal(" 2*k0 ", kScope, kWhere).constant(), 200);
  EXPECT_EQ(parse_signal("2*k0", kScope, kWhere).text(), "2*k0");
  EXPECT_EQ(parse_signal("2*k0", kScope, kWhere).where().text(), "model.yaml:4:10");
}

TEST(Signal, a_tape_that_reads_ahead_is_refused) {
  using Op = Signal::Op;
  EXPECT_THROW(Signal({}, {}, ""), std::invalid_argument);
  EXPECT_THROW(Signal({Op{Op::Code::negate, 0, -1, -1, 0}}, {}, ""), std::invalid_argument);
  EXPECT_THROW(Signal({Op{Op::Code::input, 0, -1, -1, 0}}, {}, ""), std::invalid_argument);
}

}  // namespace
}  // namespace bristle
