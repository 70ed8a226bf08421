"""The wheel of the Python module: CMake builds it, the library and the command within; one wheel serves every Python 3
from 3.9 on.

SARRUS_BUILD names a build folder that is configured already; else build/wheel is.
"""
import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))
MADE = ["_capi.abi3.so", "_documents.py", "records.pyi", os.path.join("bin", "sarrus")]  # what the build adds to python/sarrus


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(sarrus VERSION ([0-9.]+)", file.read()).group(1)


class CMakeBuild(build_ext):
    """Builds the module and the command, and takes what was made."""

    def run(self):
        build = os.environ.get("SARRUS_BUILD")
        if not build:
            build = os.path.join(ROOT, "build", "wheel")
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DSARRUS_BUILD_TESTS=OFF",
                            "-DSARRUS_BUILD_SAMPLES=OFF", f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "sarrus_python", "sarrus_command", "-j", str(os.cpu_count())], check=True)
        package = os.path.join(self.build_lib, "sarrus")
        os.makedirs(os.path.join(package, "bin"), exist_ok=True)
        for name in MADE:
            shutil.copy(os.path.join(build, "python", "sarrus", name), os.path.join(package, name))

    def get_outputs(self):
        return [os.path.join(self.build_lib, "sarrus", name) for name in MADE]


os.makedirs(os.path.join(ROOT, "build", "setuptools"), exist_ok=True)
setup(
    name="sarrus",
    version=version(),
    description="Articulated rigid bodies with hard frictional contact",
    license="MIT",
    python_requires=">=3.9",
    install_requires=["numpy", "cffi>=1.15"],
    packages=["sarrus"],
    package_dir={"sarrus": "python/sarrus"},
    package_data={"sarrus": ["*.pyi", "py.typed"]},
    entry_points={"console_scripts": ["sarrus = sarrus.page:main"]},
    ext_modules=[Extension("sarrus._capi", [], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild},
    options={"bdist_wheel": {"py_limited_api": "cp39"}, "egg_info": {"egg_base": "build/setuptools"},
             "build": {"build_base": "build/setuptools"}},
)
