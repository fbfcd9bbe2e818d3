"""The passes of Numba's compiler that rules need (Numba's documentation, "Customizing the compiler")."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

# Imported by name because its types depend on Numba's version.
_compiler: Any = import_module("numba.core.compiler")

#: Passes for what rules do not contain: closures, comprehensions, ``with``, `literally`, branches that a type decides,
#: arrays in expressions, parallel loops. Several run over the whole function and find nothing.
_NEEDLESS: Final = frozenset(
    (
        *("WithLifting", "InlineClosureLikes", "MakeFunctionToJitFunction", "RewriteSemanticConstants"),
        *("DeadBranchPrune", "RewriteDynamicRaises", "FindLiterallyCalls", "LiteralUnroll"),
        *("LiteralPropagationSubPipelinePass", "InlineOverloads", "NopythonRewrites", "DumpParforDiagnostics"),
        "NoPythonSupportedFeatureValidation",
    )
)


class RulePipeline(_compiler.CompilerBase):  # type: ignore[misc]
    """Numba's passes without those that rules do not need."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes: see `numba.core.compiler.CompilerBase`."""
        manager = _compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [each for each in manager.passes if each[0].__name__ not in _NEEDLESS]
        manager.finalize()
        return [manager]
