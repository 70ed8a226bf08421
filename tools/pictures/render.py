"""Draws what `sarrus convert` writes with VTK, on which ParaView is built, as a second opinion and for the docs.

render.py FILE.pvd|FILE.gltf TIME OUT.png [VIEW: x,y,z from which it is looked]

Debian's python3-vtk9; on a machine without a display by xvfb-run. Of a .pvd the solids are coloured by their body, and
the filter Glyph draws an arrow for each contact force.
"""
import os
import sys
import xml.etree.ElementTree as tree

import vtk

COLOURS = [0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00, 0x7A828C]


def colour(number):
    return [(number >> shift & 255) / 255 for shift in (16, 8, 0)]


def actor(output, scalars=None):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(output)
    mapper.ScalarVisibilityOff()
    if scalars is not None:
        mapper.ScalarVisibilityOn()
        mapper.SetScalarModeToUseCellFieldData()
        mapper.SelectColorArray("body")
        mapper.SetLookupTable(scalars)
        mapper.UseLookupTableScalarRangeOn()
    it = vtk.vtkActor()
    it.SetMapper(mapper)
    it.GetProperty().SetAmbient(0.35)
    it.GetProperty().SetDiffuse(0.75)
    return it


def read(path):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader


def bodies(path):
    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(257)
    table.SetTableRange(-1.5, 255.5)
    for i in range(257):
        table.SetTableValue(i, *(colour(COLOURS[(i - 1) % 7]) if i > 0 else (0.86, 0.89, 0.93)), 1)
    reader = read(path)
    return actor(reader.GetOutputPort(), table)


def contacts(path, size):
    reader = read(path)
    data = reader.GetOutput()
    forces = data.GetPointData().GetArray("force")
    largest = max((sum(x * x for x in forces.GetTuple(i)) ** 0.5 for i in range(data.GetNumberOfPoints())), default=0)
    glyph = vtk.vtkGlyph3D()
    glyph.SetInputConnection(reader.GetOutputPort())
    arrow = vtk.vtkArrowSource()
    arrow.SetShaftResolution(16)
    arrow.SetTipResolution(24)
    glyph.SetSourceConnection(arrow.GetOutputPort())
    glyph.SetInputArrayToProcess(1, 0, 0, 0, "force")
    glyph.SetVectorModeToUseVector()
    glyph.SetScaleModeToScaleByVector()
    glyph.SetScaleFactor(size / largest if largest > 0 else 1)
    it = actor(glyph.GetOutputPort())
    it.GetProperty().SetColor(0.83, 0, 0)
    return it


def diagonal(bounds):
    return sum((bounds[2 * i + 1] - bounds[2 * i]) ** 2 for i in range(3)) ** 0.5


def from_pvd(renderer, path, time):
    sets = [(float(each.get("timestep")), each.get("part"), each.get("file")) for each in tree.parse(path).iter("DataSet")]
    nearest = min((abs(at - time), at) for at, _, _ in sets)[1]
    files = [os.path.join(os.path.dirname(path), name) for at, _, name in sets if at == nearest]
    solids = {file: bodies(file) for file in files if "contacts" not in os.path.basename(file)}
    for it in solids.values():
        renderer.AddActor(it)
    seen = next(it for file, it in solids.items() if "bodies" in os.path.basename(file)).GetBounds()
    for file in files:
        if file not in solids:
            renderer.AddActor(contacts(file, diagonal(seen) / 3))
    return nearest, seen


def from_gltf(window, renderer, path, time):
    importer = vtk.vtkGLTFImporter()
    importer.SetFileName(path)
    importer.SetRenderWindow(window)
    importer.Read()
    importer.EnableAnimation(0)
    importer.UpdateTimeStep(time)
    parts = sorted((part.GetBounds() for part in renderer.GetActors()), key=diagonal)
    parts = [part for part in parts if diagonal(part) < diagonal(parts[-1]) / 2]  # without the ground
    return time, [(min, max)[i % 2](part[i] for part in parts) for i in range(6)]


def main():
    path, time, out = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    view = [float(x) for x in (sys.argv[4] if len(sys.argv) > 4 else "1,-0.4,0.3").split(",")]
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(640, 420)
    window.SetMultiSamples(8)
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(0.96, 0.965, 0.975)
    window.AddRenderer(renderer)
    is_gltf = path.endswith(".gltf")
    at, seen = from_gltf(window, renderer, path, time) if is_gltf else from_pvd(renderer, path, time)
    camera = renderer.GetActiveCamera()
    x, y, z = view
    camera.SetPosition(*((x, z, -y) if is_gltf else (x, y, z)))  # glTF has y upwards
    camera.SetFocalPoint(0, 0, 0)
    camera.SetViewUp(0, *((1, 0) if is_gltf else (0, 1)))
    renderer.ResetCamera(*seen)
    renderer.ResetCameraClippingRange()
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(out)
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()
    print(f"{out}: {renderer.GetActors().GetNumberOfItems()} actors at {at:g} s")


main()
