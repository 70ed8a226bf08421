from typing import Dict, Tuple

STRUCTS: Dict[str, Tuple[str, Dict[str, str]]]
WORDS: Dict[str, Tuple[str, ...]]
