"""The approved plans of a node, as [[plan]] names them: read with their rulesets, word for word (R-26).

Theory. What a table's pot, limits, credit and number of seats are stands in the plan and nowhere else (R-3, R-7), so
nothing of it can be said twice and differ. The record keeps both documents as they were approved, so their texts go
along. A plan that cannot be read is reported with its own file and key. A plan that places a table at this node, or
behind it, is of a pot that another node owns (R-28).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.core.links.placed import is_named, seen_tables
from controller.core.values import Documents
from controller.documents import Laws, read_laws, read_plan, read_text, shelf
from controller.node.settings.sheet import HERE, Sheet
from controller.node.vocabulary.places import PlanFile
from controller.rules.document import DocumentError
from controller.rules.plan import LinkedTable, Plan


@dataclass(frozen=True, slots=True)
class PlanForm:
    sheet: Sheet
    path: Path
    signless: bool  # its sign hangs on another node


@dataclass(frozen=True, slots=True)
class PlanRead:
    """`tables`: this node's own and those below it, by the names that they have here; the others of a pot that nodes
    share are none of its business (R-28)."""

    form: PlanForm
    plan: Plan
    file: PlanFile
    tables: Mapping[str, LinkedTable]

    def linked(self, table: str) -> LinkedTable | None:
        return self.tables.get(table)


def read_plan_form(sheet: Sheet, beside: Path) -> PlanForm:
    form = PlanForm(sheet, beside / sheet.text("file", "R-26"), sheet.flag_or("signless", default=False))
    sheet.close()
    return form


def read_plans(
    forms: list[PlanForm], root: Sheet, node: str, rulesets: Path | None
) -> tuple[list[PlanRead], list[DocumentError]]:
    """Those that can be read, and what is wrong with the others."""
    if rulesets is not None and not rulesets.is_dir():
        return [], [root.wrong("rulesets", "R-26", f"no existe la carpeta {rulesets}")]
    try:
        laws = read_laws(rulesets)
    except DocumentError as error:
        return [], [error]
    found, troubles = [], []
    for form in forms:
        if not form.path.is_file():
            troubles.append(form.sheet.wrong("file", "R-26", f"no existe el plan {form.path}"))
            continue
        try:
            found.append(_read(form, laws, node, rulesets))
        except DocumentError as error:
            troubles.append(error)
    return found, troubles


def _read(form: PlanForm, laws: Laws, node: str, rulesets: Path | None) -> PlanRead:
    plan, _ = read_plan(form.path, laws)
    documents = Documents(read_text(form.path).text, _law_text(plan.ruleset.name, laws, rulesets))
    file = PlanFile(path=form.path, pot=plan.name, documents=documents)
    return PlanRead(form, plan, file, seen_tables(plan, node, owns_it=not is_named(plan, node)))


def _law_text(name: str, laws: Laws, rulesets: Path | None) -> str:
    """The text of the ruleset that was read; its fingerprint distinguishes it from any other."""
    for folder in (shelf() / "rulesets", *((rulesets,) if rulesets else ())):
        for path in sorted(folder.glob("*.toml")):
            document = read_text(path)
            if document.fingerprint == laws.fingerprints[name]:
                return document.text
    raise DocumentError(name, "ruleset", HERE, "el reglamento cambió mientras se leía; pruebe otra vez")
