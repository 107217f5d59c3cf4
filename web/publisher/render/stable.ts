/** The stable result as it comes over the wire. */

export interface Note {
  value: string;
}

export type Timeframe =
  "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | "second" | undefined;

export type AtomicType =
  | { kind: "string_type" }
  | { kind: "boolean_type" }
  | { kind: "json_type" }
  | { kind: "number_type"; subtype?: "integer" | "decimal" | "bigint" }
  | { kind: "date_type"; timeframe?: Timeframe }
  | { kind: "timestamp_type" | "timestamptz_type"; timeframe?: Timeframe }
  | { kind: "sql_native_type"; sql_type?: string }
  | { kind: "array_type"; element_type: AtomicType }
  | { kind: "record_type"; fields: FieldInfo[] };

export interface FieldInfo {
  name: string;
  kind?: string;
  type: AtomicType;
  annotations?: Note[];
}

export type Cell =
  | { kind: "null_cell" }
  | { kind: "string_cell"; string_value: string }
  | { kind: "boolean_cell"; boolean_value: boolean }
  | { kind: "number_cell"; number_value: number | string; string_value?: string }
  | { kind: "date_cell"; date_value: string }
  | { kind: "timestamp_cell"; timestamp_value: string }
  | { kind: "json_cell"; json_value: string }
  | { kind: "sql_native_cell"; sql_native_value: string }
  | { kind: "record_cell"; record_value: Cell[] }
  | { kind: "array_cell"; array_value: Cell[] };

export interface StableResult {
  schema: { fields: FieldInfo[] };
  data: { kind: "array_cell"; array_value: Cell[] } | { kind: "record_cell"; record_value: Cell[] };
  connection_name: string;
  annotations?: Note[];
  model_annotations?: Note[];
  source_annotations?: Note[];
  sql?: string;
  query_timezone?: string;
}
