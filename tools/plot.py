"""Draws channels over time or over one of them, one panel for each unit.

    plot.py DATA.npz STEPS.npz OUTPUT FORMAT TITLE WIDTH X AXIS UNIT [NAME UNIT]...

DATA.npz has the arrays AXIS (as a rule `time`) and NAME...; STEPS.npz, empty for none, has `time` and `step` of all steps. X is the channel on
the horizontal axis, empty for AXIS. The program runs this script with `python3 -c`. Exit code 3: matplotlib is missing.
"""
import sys

sys.path = [p for p in sys.path if p]  # nothing from the current folder
try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
except ImportError:
    sys.exit(3)

MOST_POINTS = 20000  # per curve; more draw slowly and look the same


def plain(text):
    """matplotlib takes $...$ for mathematics."""
    return text.replace("$", r"\$")


def label(name, unit):
    return plain(f"{name} [{unit}]" if unit else name)


def thin(x, y):
    """Smallest and largest value of each of equal stretches."""
    n = len(y)
    if n <= MOST_POINTS:
        return x, y
    edges = np.linspace(0, n, MOST_POINTS // 2 + 1).astype(int)
    keep = []
    for a, b in zip(edges[:-1], edges[1:]):
        part = np.nan_to_num(y[a:b])
        keep += sorted({a + int(part.argmin()), a + int(part.argmax())})
    keep = [0] + keep + [n - 1]
    return x[keep], y[keep]


def draw_steps(axis, path):
    with np.load(path) as steps:
        end, length = thin(steps["time"].ravel(), steps["step"].ravel())
    axis.plot(end, length, linewidth=1.0, drawstyle="steps-pre")  # a step ends at its time
    axis.set_yscale("log")
    axis.grid(True, linewidth=0.4, alpha=0.5)
    axis.set_ylabel("step [s]")


def main():
    data_path, steps_path, output, kind, title, width, x_name, over, over_unit = sys.argv[1:10]
    rest = sys.argv[10:]
    channels = list(zip(rest[::2], rest[1::2]))
    units = dict(channels)
    drawn = [name for name, _ in channels if name != x_name]
    panels = list(dict.fromkeys(units[name] for name in drawn))
    rows = len(panels) + (1 if steps_path else 0)

    with np.load(data_path) as data:
        x = data[x_name] if x_name else data[over]
        figure, axes = plt.subplots(
            rows, 1, sharex=True, squeeze=False, figsize=(float(width), 1.0 + 2.4 * rows), layout="constrained"
        )
        for axis, unit in zip(axes[:, 0], panels):
            names = [name for name in drawn if units[name] == unit]
            for name in names:
                values = data[name]
                # a loop needs every sample: its extremes are not those of one coordinate
                px, py = (x, values) if x_name else thin(x, values)
                axis.plot(px, py, linewidth=1.0, label=plain(name))
            axis.grid(True, linewidth=0.4, alpha=0.5)
            if len(names) == 1:
                axis.set_ylabel(label(names[0], unit))
            else:
                axis.set_ylabel(plain(f"[{unit}]") if unit else "")
                axis.legend(loc="best", fontsize="small")
        if steps_path:
            draw_steps(axes[-1, 0], steps_path)
        axes[-1, 0].set_xlabel(label(x_name, units[x_name]) if x_name else label(over, over_unit))
        if title:
            figure.suptitle(plain(title))
        # no date inside: the same run gives the same file
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
        matplotlib.rcParams["svg.hashsalt"] = "bristle"
        try:
            figure.savefig(output, format=kind, dpi=150, metadata=metadata)
        except OSError as error:
            sys.exit(f"{error.strerror}")


main()
