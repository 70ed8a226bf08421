"""Which structs of the C library are records of Python, and what their pointers point to.

A class has the struct's name in capitals: srs_sim_options is SimOptions. Fields keep their names and come from the headers.
"""

# Options and definitions: classes with fields that can be set. The function gives the defaults, "" for zeros.
INPUTS = {
    "srs_build_options": "srs_default_build_options", "srs_load_options": "srs_default_load_options",
    "srs_link_def": "srs_default_link_def", "srs_joint_def": "srs_default_joint_def",
    "srs_shape_def": "srs_default_shape_def", "srs_closure_def": "srs_default_closure_def",
    "srs_coupling_def": "srs_default_coupling_def", "srs_motion": "", "srs_loop_joint": "srs_default_closure_def",
    "srs_collider_options": "srs_default_collider_options", "srs_contact_options": "srs_default_contact_options",
    "srs_compliant_layer": "", "srs_material": "srs_default_material", "srs_material_pair": "",
    "srs_half_space_solid": "", "srs_contact_settings": "srs_default_sim_options",
    "srs_joint_settings": "srs_default_sim_options", "srs_closure_settings": "srs_default_sim_options",
    "srs_implicit_settings": "srs_default_sim_options", "srs_sim_options": "srs_default_sim_options",
    "srs_actuator": "srs_default_actuator", "srs_assembly_options": "srs_default_assembly_options",
    "srs_ik_options": "srs_default_ik_options", "srs_coordinate_parameters": "", "srs_tendon_term": "", "srs_tendon_def": "",
}

# Parts of a larger struct whose defaults are those of the whole: (the part, "" for the result itself).
PART = {"srs_contact_settings": "contact", "srs_joint_settings": "joint", "srs_closure_settings": "closure",
        "srs_implicit_settings": "implicit", "srs_loop_joint": "joint"}

# Results: named tuples.
OUTPUTS = [
    "srs_link", "srs_joint", "srs_frame", "srs_shape", "srs_closure", "srs_coupling", "srs_energies",
    "srs_energy_balance", "srs_center_of_mass", "srs_sim_statistics", "srs_implicit_statistics", "srs_spin_statistics",
    "srs_contact_report", "srs_contact_residual", "srs_contact_finding", "srs_contact_judgement", "srs_ik_report",
    "srs_assembly_report", "srs_contact_point", "srs_ray_hit",
]

# Pointers to several: field: (what, the field that counts them).
#   NAMES          strings, ended by NULL where nothing counts them
#   NAME_PAIRS     names, two a pair, ended by NULL
#   a struct       records
#   "double", "int" followed by the columns of an array; 0: it has one dimension
LISTS = {
    ("srs_load_options", "packages"): ("NAMES", None),
    ("srs_shape_def", "points"): (("double", 3), "n_points"),
    ("srs_shape_def", "triangles"): (("int", 3), "n_triangles"),
    ("srs_shape", "points"): (("double", 3), "n_points"),
    ("srs_shape", "triangles"): (("int", 3), "n_triangles"),
    ("srs_closure", "independent"): (("int", 0), "n_independent"),
    ("srs_motion", "times"): (("double", 0), "n_points"),
    ("srs_motion", "values"): (("double", 0), "n_points"),
    ("srs_closure_def", "independent"): ("NAMES", "n_independent"),
    ("srs_tendon_def", "terms"): ("srs_tendon_term", "n_terms"),
    ("srs_tendon_def", "leaders"): ("srs_tendon_term", "n_leaders"),
    ("srs_collider_options", "excluded"): ("NAME_PAIRS", None),
    ("srs_collider_options", "included"): ("NAME_PAIRS", None),
    ("srs_collider_options", "ratio_metric"): ("NAME_PAIRS", None),
    ("srs_collider_options", "euclidean"): ("NAME_PAIRS", None),
    ("srs_contact_settings", "materials"): ("srs_material", "n_materials"),
    ("srs_contact_settings", "pairs"): ("srs_material_pair", "n_pairs"),
    ("srs_contact_settings", "solids"): ("srs_half_space_solid", "n_solids"),
    ("srs_half_space_solid", "half_spaces"): ("NAMES", "n"),
}

# Fields that Python does not have under their own name: functions of the caller's, and what methods take in their place.
LEFT_OUT = {
    ("srs_load_options", "visit"), ("srs_load_options", "visit_context"), ("srs_motion", "context"),
    ("srs_contact_settings", "surfaces"), ("srs_contact_settings", "n_surfaces"), ("srs_assembly_options", "frozen"),
    ("srs_assembly_options", "loops"), ("srs_ik_options", "frozen"),
    ("srs_shape_def", "n_rows"), ("srs_shape_def", "n_columns"), ("srs_shape", "n_rows"), ("srs_shape", "n_columns"),
} | {(struct, count) for (struct, _), (_, count) in LISTS.items() if count}

# Arrays that a single number or a shorter list may set: of a joint's coordinates, of a shape's lengths.
SHORT = {"srs_joint_def", "srs_shape_def"}


def class_name(struct):
    """srs_sim_options: SimOptions"""
    return "".join(part.capitalize() for part in struct.split("_")[1:])


def is_heights(struct, field):
    """Whether a pointer is to n_rows x n_columns numbers."""
    return struct in ("srs_shape_def", "srs_shape") and field == "heights"


def type_name(kind):
    """The name of a C type, without "struct" or "enum"."""
    return kind.cname.split()[-1]


def has_field(struct, name, kind):
    """Whether Python has a field of a struct: structs that are no records here, and pointers to them, are left out."""
    if (struct, name) in LEFT_OUT:
        return False
    if kind.kind == "struct":
        return type_name(kind) in INPUTS or type_name(kind) in OUTPUTS or type_name(kind) == "srs_pose"
    return kind.kind != "pointer" or kind.item.cname == "char" or (struct, name) in LISTS or is_heights(struct, name)
