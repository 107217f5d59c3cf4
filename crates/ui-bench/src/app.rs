//! The page that both serve: a button that counts, its label, and so many labels bound to an object each.

use std::{fs, io, path::Path};

/// Writes the folder that `tandem ui serve` is given.
pub(crate) fn write(dir: &Path, labels: usize) -> io::Result<()> {
    fs::create_dir_all(dir.join("lua"))?;
    fs::create_dir_all(dir.join("viewdefs"))?;
    fs::write(dir.join("lua/main.lua"), main(labels))?;
    fs::write(dir.join("viewdefs/Bench.DEFAULT.html"), VIEW)?;
    fs::write(dir.join("viewdefs/Row.list-item.html"), ROW)
}

fn main(labels: usize) -> String {
    format!(
        "\
local Bench = session:prototype('Bench', {{ count = 0, rows = EMPTY }})
local Row = session:prototype('Row', {{ name = '' }})

function Bench:increment()
    self.count = self.count + 1
end

if not session.reloading then
    local rows = {{}}
    for index = 1, {labels} do
        rows[index] = Row:new({{ name = 'name ' .. index }})
    end
    session:createAppVariable(Bench:new({{ rows = rows }}))
end
"
    )
}

const VIEW: &str = "\
<template>
  <div>
    <span ui-value=\"count\"></span>
    <button ui-action=\"increment()\">count</button>
    <div ui-viewlist=\"rows\"></div>
  </div>
</template>
";

const ROW: &str = "<template><div ui-value=\"name\"></div></template>\n";
