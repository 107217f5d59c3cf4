/** The fields of a source as the page shows and asks them: paths from the source, docs, kinds. */

import type { AtomicType } from "../render/stable.ts";
import { docOf, tagOf } from "../render/tag.ts";
import type { Filter } from "../malloy/draft.ts";
import type { Field, Model, SourceInfo } from "./types.ts";

export interface Known {
  path: string[];
  name: string;
  kind: "dimension" | "measure" | "view";
  type: string;
  /** Which inputs fit its values. */
  values: Filter["kind"];
  doc: string;
  /** Render tags as they are written, without docs. */
  tags: string[];
}

/** Fields of one level, then those of each join below. */
export interface Group {
  path: string[];
  relationship: string;
  doc: string;
  dimensions: Known[];
  measures: Known[];
  views: Known[];
  joins: Group[];
}

const DEEPEST = 5;

export function sourcesOf(model: Model): SourceInfo[] {
  const infos = (model.sourceInfos ?? []).flatMap((text) => parse<SourceInfo>(text));
  if (infos.length > 0) return infos;
  const whole = parse<{ entries?: SourceInfo[] }>(model.modelInfo ?? "")[0];
  return (whole?.entries ?? []).filter(({ kind }) => kind === "source");
}

function parse<T>(text: string | object): T[] {
  if (typeof text === "object") return [text as T];
  try {
    return text === "" ? [] : [JSON.parse(text) as T];
  } catch {
    // A source that cannot be read is one that is not shown; the text of the model has it.
    return [];
  }
}

export function groupOf(source: SourceInfo): Group {
  return group(source.schema.fields, [], "", notes(source));
}

function group(
  fields: Field[],
  path: string[],
  relationship: string,
  annotations: string[],
): Group {
  const of = (kind: Known["kind"]) =>
    fields.filter((field) => field.kind === kind).map((field) => known(field, kind, path));
  const joins =
    path.length >= DEEPEST
      ? []
      : fields
          .filter(({ kind }) => kind === "join")
          .map((join) =>
            group(
              join.schema?.fields ?? [],
              [...path, join.name],
              join.relationship ?? "",
              notes(join),
            ),
          );
  return {
    path,
    relationship,
    doc: docOf(annotations),
    dimensions: of("dimension"),
    measures: of("measure"),
    views: of("view"),
    joins,
  };
}

function known(field: Field, kind: Known["kind"], path: string[]): Known {
  const lines = notes(field);
  return {
    path: [...path, field.name],
    name: field.name,
    kind,
    type: field.type ? typeWord(field.type) : "",
    values: field.type ? valuesOf(field.type) : "other",
    doc: docOf(lines),
    tags: tagLines(lines),
  };
}

function notes({ annotations }: { annotations?: { value: string }[] }): string[] {
  return (annotations ?? []).map((note) => (typeof note === "string" ? note : note.value));
}

/** Render tags worth showing; facts of the compiler are not. */
export function tagLines(annotations: readonly string[]): string[] {
  return annotations.filter((line) => /^#[ \t]/.test(line)).map((line) => line.trim());
}

/** The name of the chart or other shape that a view asks for. */
export function shapeWord(annotations: readonly string[]): string {
  const names = tagOf(annotations).names();
  const shapes = names.filter((name) =>
    /^(bar_chart|line_chart|scatter_chart|dashboard|big_value|list|list_detail|shape_map|segment_map|point_map|transpose|pivot)$/.test(
      name,
    ),
  );
  return shapes.at(-1) ?? "table";
}

export function typeWord(type: AtomicType): string {
  switch (type.kind) {
    case "number_type":
      return type.subtype === "integer" || type.subtype === "bigint" ? "integer" : "number";
    case "timestamp_type":
    case "timestamptz_type":
    case "date_type": {
      const word = type.kind.replace("_type", "");
      return type.timeframe ? `${word}, ${type.timeframe}` : word;
    }
    case "array_type":
      return `list of ${typeWord(type.element_type)}`;
    case "sql_native_type":
      return type.sql_type ?? "sql";
    default:
      return type.kind.replace("_type", "");
  }
}

function valuesOf(type: AtomicType): Filter["kind"] {
  switch (type.kind) {
    case "string_type":
      return "string";
    case "number_type":
      return "number";
    case "boolean_type":
      return "boolean";
    case "date_type":
      return "date";
    case "timestamp_type":
    case "timestamptz_type":
      return "time";
    default:
      return "other";
  }
}

/** Every field by its path. */
export function flat(group: Group): Known[] {
  return [
    ...group.dimensions,
    ...group.measures,
    ...(group.path.length === 0 ? group.views : []),
    ...group.joins.flatMap(flat),
  ];
}
