"""The page of the bench in NiceGUI: a button that counts, its label, and as many bound labels as are asked for."""

import sys

from nicegui import binding, ui


@binding.bindable_dataclass
class Counter:
    count: int = 0

    def increment(self) -> None:
        self.count += 1


@binding.bindable_dataclass
class Row:
    name: str = ""


port, labels = int(sys.argv[1]), int(sys.argv[2])


@ui.page("/")
def page() -> None:
    counter = Counter()
    ui.label().bind_text_from(counter, "count")
    ui.button("count", on_click=counter.increment)
    for index in range(labels):
        ui.label().bind_text_from(Row(f"name {index}"), "name")


ui.run(host="127.0.0.1", port=port, show=False, reload=False, show_welcome_message=False)
