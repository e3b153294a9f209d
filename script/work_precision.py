#!/usr/bin/env python3
"""Work and precision of the methods on six mechanisms: writes docs/work_precision_table.md.

    script/work_precision.py PROGRAM [TABLE.md [PART_OF_A_NAME]]

PROGRAM is the bristle program to measure. Needs NumPy, SciPy and h5py. References: the pendulum and the four-bar from one equation of motion,
integrated by SciPy (DOP853, 1e-12); the others from two tight runs of methods that share no formula, dormand_prince and radau5, whose difference is
written beside them.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from scipy.integrate import solve_ivp

ROOT = pathlib.Path(__file__).resolve().parent.parent

PENDULUM = """bristle: 1
gravity: [0, -9.81, 0]
bodies:
  bob: {type: planar, mass: 1, inertia: 1e-6, position: [-1, 0]}
joints:
  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: z}
analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}
record: {every: 1 s}
"""

GOVERNOR = """bristle: 1
gravity: [0, 0, -9.81]
bodies:
  shaft: {type: rigid, mass: 300, inertia: [25, 25, 0.5], position: [0, 0, 0.5], angular_velocity: [0, 0, 1]}
  arm1: {type: rigid, mass: 5.3, inertia: [0.03, 0.03, 0.03], position: [0.48, 0, 0.16], velocity: [0, 0.48, 0], angular_velocity: [0, 0, 1], frames: {m: {at: [-0.24, 0, 0.42]}}}
  arm2: {type: rigid, mass: 5.3, inertia: [0.03, 0.03, 0.03], position: [-0.48, 0, 0.16], velocity: [0, -0.48, 0], angular_velocity: [0, 0, 1], frames: {m: {at: [0.24, 0, 0.42]}}}
  collar: {type: rigid, mass: 3, inertia: [0.005, 0.005, 0.005], position: [0, 0, 0.16], angular_velocity: [0, 0, 1], frames: {m: {at: [0, 0, 0]}}}
joints:
  base: {type: revolute, between: [ground, shaft], at: [0, 0, 0], axis: z}
  guide: {type: prismatic, between: [shaft, collar], at: [0, 0, 0.16], axis: z}
  hinge1: {type: revolute, between: [shaft, arm1], at: [0, 0, 1], axis: y}
  hinge2: {type: revolute, between: [shaft, arm2], at: [0, 0, 1], axis: y}
forces:
  s1: {type: spring, between: [arm1.m, collar.m], stiffness: 8e5, damping: 4e4, length: 0.5}
  s2: {type: spring, between: [arm2.m, collar.m], stiffness: 8e5, damping: 4e4, length: 0.5}
analysis: {type: transient, end: 1 s, integrator: {type: radau5, tolerance: 1e-6}}
record: {every: 1 s}
"""


def four_bars(n):
    bodies = joints = ""
    for i in range(n + 1):
        bodies += f'  r{i}: {{type: planar, mass: 1, inertia: "1/12", position: [{i}, 0.5], angular_velocity: -1}}\n'
        joints += f"  a{i}: {{type: revolute, between: [ground, r{i}], at: [{i}, 0, 0], axis: z}}\n"
    for i in range(n):
        bodies += f'  t{i}: {{type: planar, mass: 1, inertia: "1/12", position: [{i + 0.5}, 1]}}\n'
        joints += f"  b{i}: {{type: revolute, between: [r{i}, t{i}], at: [{i}, 1, 0], axis: z}}\n"
        joints += f"  c{i}: {{type: revolute, between: [r{i + 1}, t{i}], at: [{i + 1}, 1, 0], axis: z}}\n"
    return ("bristle: 1\ngravity: [0, -9.81, 0]\nbodies:\n" + bodies + "joints:\n" + joints +
            "analysis: {type: transient, end: 3 s, integrator: {type: rk4, step: 1 ms}}\nrecord: {every: 1 s}\n")


def one_equation(rate, start, end):
    run = solve_ivp(lambda t, y: [y[1], rate(y[0])], (0, end), start, method="DOP853", rtol=1e-12, atol=1e-12)
    return run.y[0, -1]


def pendulum_end():
    a = one_equation(lambda a: -9.81 / (1 + 1e-6) * np.cos(a), [np.pi, 0], 10)  # angle from the x axis
    return [np.cos(a), np.sin(a)]


def four_bar_end(n=2):
    inertia, moment = (n + 1) / 3 + n, (n + 1) / 2 + n
    a = one_equation(lambda a: -9.81 * moment / inertia * np.cos(a), [np.pi / 2, -1], 3)
    return [0.5 * np.cos(a), 0.5 * np.sin(a)]


# name, model, changes to it, end [s], channels at the end, reference or none
MODELS = [
    ("simple pendulum", PENDULUM, [], 10, ["bob.position.x", "bob.position.y"], pendulum_end),
    ("four-bar, N = 2, through its flat positions", four_bars(2), [], 3, ["r0.position.x", "r0.position.y"], four_bar_end),
    ("Bricard's loop, a redundant row", ROOT / "examples/bricard/model.yaml", [], 1,
     ["rod3.position.x", "rod3.position.y", "rod3.position.z"], None),
    ("spatial slider-crank, no friction", ROOT / "examples/slider_crank/model.yaml",
     [], 1, ["slider.position.y"], None),
    ("flyball governor, stiff", GOVERNOR, [], 1, ["arm1.position.z", "collar.position.z"], None),
    ("spinning top, no friction", ROOT / "examples/top/model.yaml", [], 0.5,
     ["top.position.x", "top.position.y", "top.position.z"], None),
]
METHODS = [(m, [f"tolerance: {t}" for t in ("1e-4", "1e-6", "1e-8")])
           for m in ("dormand_prince", "radau5", "radau5, form: ggl", "cvode")]
METHODS += [(m, [f"step: {s} ms" for s in (10, 3, 1)])
            for m in ("rk4", "trapezoidal", "radau3", "generalized_alpha", "hht", "newmark", "energy_preserving", "energy_decaying", "moreau_jean")]


def measure(program, model, changes, end, channels, integrator):
    """Values at the end, evaluations, time [s]; or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.yaml"
        text = model if isinstance(model, str) else model.read_text()
        path.write_text(re.sub(r"\n +friction: {[^}]*}", "", text))
        settings = changes + [f"analysis.end={end} s", f"analysis.integrator={{type: {integrator}}}", f"record.every={end} s"]
        command = [program, "run", str(path), "--json", "--no-report", "-o", folder + "/out"]
        for s in settings:
            command += ["--set", s]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        except subprocess.TimeoutExpired:
            return None, "more than 60 s"
        try:
            summary = json.loads(done.stdout)
        except json.JSONDecodeError:
            return None, (done.stderr or done.stdout).strip().splitlines()[-1] if (done.stderr or done.stdout).strip() else "nothing said"
        if summary["exit_code"] not in (0, 4):  # 4: a check that an example carries has failed, which the error tells better
            return None, "untrusted" if summary["exit_code"] == 6 else "ends early"
        with h5py.File(folder + "/out/run.h5") as f:
            values = [float(f["channels/" + c.replace(".", "/", 1)][-1]) for c in channels]
        return (np.array(values), summary["evaluations"], summary["wall_time"]), ""


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    table = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/work_precision_table.md"
    out = []
    for name, model, changes, end, channels, truth in MODELS:
        if len(sys.argv) > 3 and sys.argv[3] not in name:
            continue
        if truth is not None:
            reference, agreement = np.array(truth()), "SciPy, one equation"
        else:
            tight = [measure(program, model, changes, end, channels, f"{m}, tolerance: 1e-11") for m in ("dormand_prince", "radau5")]
            if tight[0][0] is None or tight[1][0] is None:
                out.append(f"## {name}\n\nNo reference: {tight[0][1]} {tight[1][1]}\n")
                continue
            reference = tight[1][0][0]
            agreement = f"dormand_prince and radau5 at 1e-11, {np.max(np.abs(tight[0][0][0] - reference)):.1e} apart"
        base, _ = measure(program, model, changes, end, channels, "dormand_prince, tolerance: 1e-6")
        out.append(f"## {name}\n\n{end} s; reference: {agreement}. Error [m], evaluations, time over that of `dormand_prince` at 1e-6.\n")
        out.append("| method | coarse | middle | fine |\n|---|---|---|---|")
        for method, settings in METHODS:
            cells = []
            for s in settings:
                got, why = measure(program, model, changes, end, channels, f"{method}, {s}")
                if got is None:
                    cells.append(f"{s}: {why}")
                    continue
                ratio = f", {got[2] / base[2]:.2g} ×" if base is not None else ""
                cells.append(f"{s}: {np.max(np.abs(got[0] - reference)):.1e}, {got[1]}{ratio}")
            out.append(f"| `{method}` | " + " | ".join(cells) + " |")
            print(out[-1], flush=True)
        out.append("")
    table.write_text("# Work and precision: the table\n\nWritten by `script/work_precision.py`; see [work and precision](work_precision.md).\n\n" + "\n".join(out))


if __name__ == "__main__":
    main()
