"""The approved plans of a node, as [[plan]] names them: read with their rulesets, word for word (R-26).

Theory. What a table's pot, limits, credit and number of seats are stands in the plan and nowhere else (R-3, R-7), so
nothing of it can be said twice and differ. The record keeps both documents as they were approved, so their texts go
along. A plan that cannot be read is reported with its own file and key.
"""

from dataclasses import dataclass
from pathlib import Path

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
    form: PlanForm
    plan: Plan
    file: PlanFile

    def linked(self, table: str) -> LinkedTable | None:
        return next((one for one in self.plan.tables if one.name == table), None)


def read_plan_form(sheet: Sheet, beside: Path) -> PlanForm:
    form = PlanForm(sheet, beside / sheet.text("file", "R-26"), sheet.flag_or("signless", default=False))
    sheet.close()
    return form


def read_plans(forms: list[PlanForm], root: Sheet, rulesets: Path | None) -> tuple[list[PlanRead], list[DocumentError]]:
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
            found.append(_read(form, laws, rulesets))
        except DocumentError as error:
            troubles.append(error)
    return found, troubles


def _read(form: PlanForm, laws: Laws, rulesets: Path | None) -> PlanRead:
    plan, _ = read_plan(form.path, laws)
    documents = Documents(read_text(form.path).text, _law_text(plan.ruleset.name, laws, rulesets))
    return PlanRead(form, plan, PlanFile(path=form.path, pot=plan.name, documents=documents))


def _law_text(name: str, laws: Laws, rulesets: Path | None) -> str:
    """The text of the ruleset that was read; its fingerprint distinguishes it from any other."""
    for folder in (shelf() / "rulesets", *((rulesets,) if rulesets else ())):
        for path in sorted(folder.glob("*.toml")):
            document = read_text(path)
            if document.fingerprint == laws.fingerprints[name]:
                return document.text
    raise DocumentError(name, "ruleset", HERE, "el reglamento cambió mientras se leía; pruebe otra vez")
