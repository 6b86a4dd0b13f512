"""Roles as a Spanish speaker types them: `croupier,jefe`; `-` is none, and retires a person (R-36).

Theory. A word that is no role is said with those that are; which roles fit together is for the core to say.
"""

from controller.core.values import Role
from controller.ctl.hands import Misread

_TYPED = {
    "croupier": Role.CROUPIER, "crupier": Role.CROUPIER, "jefe": Role.CHIEF, "jefa": Role.CHIEF,
    "tecnico": Role.TECHNICIAN, "técnico": Role.TECHNICIAN, "auditor": Role.AUDITOR,
    "administrador": Role.ADMINISTRATOR,
}  # fmt: skip


def read_roles(word: str) -> tuple[str, ...]:
    typed = [role for role in word.lower().split(",") if role] if word != "-" else []
    for role in typed:
        if role not in _TYPED:
            raise Misread(f"«{role}» no es un papel; son: croupier, jefe, tecnico, auditor, administrador")
    return tuple(str(_TYPED[role]) for role in typed)
