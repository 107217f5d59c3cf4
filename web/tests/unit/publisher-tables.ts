/** Columns and tables for the tests of the renderer. */

import type { Column, Row, Table } from "../../publisher/render/data.ts";
import { Tag, tagOf } from "../../publisher/render/tag.ts";

export function column(name: string, more: Partial<Column> & { tags?: string } = {}): Column {
  const { tags, ...rest } = more;
  return {
    name,
    label: name,
    kind: "string",
    whole: false,
    timeframe: undefined,
    measure: false,
    tag: tags === undefined ? new Tag() : tagOf([`# ${tags}`]),
    doc: "",
    columns: [],
    plain: false,
    ...rest,
  };
}

export function measure(name: string, tags = ""): Column {
  return column(name, { kind: "number", measure: true, tags });
}

export function tableWith(columns: Column[], rows: Row[]): Table {
  return { columns, rows, tag: new Tag(), timezone: undefined };
}
