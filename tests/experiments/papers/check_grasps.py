#!/usr/bin/env python3
"""Is the plateau of the grasps where Chakraborty, Berard, Akella & Trinkle (sec. 6.4) have theirs?

    sarrus sweep samples/sweeps/gear_grasp.yaml --out grasps.csv
    python3 tests/experiments/papers/check_grasps.py grasps.csv

Reads the rows of a whole sweep, prints each claim with what was found, and ends with status 1 where one does not hold:
no run failed; the places where 90 % and more succeed are one piece; at x = 0 half of the grasps succeed from about -18 mm
(where the fingertips pass below the outermost teeth) to between -7 and -3 mm by the friction of the jaws, without a gap;
the centre lies within 2 mm of -11.5 mm; the disc stays where it is above -R sin(atan mu), within the grid of 1 mm; and where the support
brakes well (friction above 0.25) half succeed up to there, within 1 mm.
"""
import collections
import csv
import math
import sys

RADIUS = 20.75  # mm


def edges(rates):
    """Where a list of (y, share) passes one half, from below and from above, by interpolation."""
    found = []
    for (y0, a), (y1, b) in zip(rates, rates[1:]):
        if (a < 0.5) != (b < 0.5):
            found.append(y0 + (0.5 - a) / (b - a) * (y1 - y0))
    return found


def shares(rows, key):
    good, all_ = collections.Counter(), collections.Counter()
    for row in rows:
        all_[key(row)] += 1
        good[key(row)] += row["success"]
    return {k: good[k] / all_[k] for k in all_}


def is_one_piece(places):
    left, pieces = set(places), 0
    while left:
        pieces += 1
        front = [left.pop()]
        while front:
            x, y = front.pop()
            for to in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if to in left:
                    left.remove(to)
                    front.append(to)
    return pieces == 1


def read(path):
    rows, failed = [], 0
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if row["status"] != "ok":
                failed += 1
                continue
            rows.append({"x": round(1000 * float(row["x"])), "y": round(1000 * float(row["y"])),
                         "mu": float(row["mu_gripper"]), "support": float(row["mu_support"]),
                         "success": float(row["success"]) != 0,
                         # how far the piece has come: it began at -y
                         "way": 1000 * (float(row["gear_y"]) + float(row["y"]))})
    return rows, failed


def main(path):
    rows, failed = read(path)
    is_good = True

    def claim(holds, text):
        nonlocal is_good
        is_good = is_good and holds
        print("holds     " if holds else "FAILS     ", text)

    print(f"{len(rows)} grasps, {failed} failed runs")
    claim(failed == 0 and len(rows) > 0, "no run failed")
    plateau = [place for place, share in shares(rows, lambda r: (r["x"], r["y"])).items() if share >= 0.9]
    claim(is_one_piece(plateau), f"the places of 90 % and more are one piece: {len(plateau)} of 441")
    amid = [r for r in rows if r["x"] == 0]
    print("at x = 0, by friction of the jaws: half succeed from .. to (mm), -R sin(atan mu), centre")
    for k in range(5):
        low, high = 0.05 + 0.05 * k, 0.1 + 0.05 * k
        some = [r for r in amid if low <= r["mu"] < high]
        if min(collections.Counter(r["y"] for r in some).values(), default=0) < 10:
            print("not judged", f"mu {low:.2f} to {high:.2f}: fewer than 10 grasps at some place")
            continue
        rates = sorted(shares(some, lambda r: r["y"]).items())
        found = edges(rates)
        theory = -RADIUS * math.sin(math.atan((low + high) / 2))
        if len(found) < 2:
            claim(False, f"mu {low:.2f} to {high:.2f}: no two edges")
            continue
        bottom, top = found[0], found[-1]
        claim(len(found) == 2 and abs(bottom + 18) <= 1 and -7 <= top <= -3 and abs((bottom + top) / 2 + 11.5) <= 2,
              f"mu {low:.2f} to {high:.2f}: {bottom:.1f} to {top:.1f}, {theory:.1f}, {(bottom + top) / 2:.1f}")
    # The grid is 1 mm, and the friction of each grasp is its own.
    held = [r for r in amid if r["y"] > -RADIUS * math.sin(math.atan(r["mu"])) + 0.1 and r["y"] > -8]
    slips = [r for r in amid if -8 < r["y"] < -RADIUS * math.sin(math.atan(r["mu"])) - 0.1]
    claim(all(abs(r["way"]) < 0.5 for r in held), f"the disc stays above -R sin(atan mu): {len(held)} grasps")
    claim(all(r["way"] > 0.5 for r in slips), f"and moves below: {len(slips)} grasps")
    braked = [r for r in amid if r["support"] > 0.25 and r["mu"] > 0.1]
    near = [r for r in braked if abs(r["y"] + RADIUS * math.sin(math.atan(r["mu"]))) > 1 and r["y"] > -12]
    wrong = [r for r in near if r["success"] != (r["y"] < -RADIUS * math.sin(math.atan(r["mu"])))]
    claim(len(wrong) == 0, f"where the support brakes well the upper edge is there, within 1 mm: {len(near)} grasps")
    return 0 if is_good else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("check_grasps.py: name the rows of the sweep: check_grasps.py grasps.csv")
    sys.exit(main(sys.argv[1]))
