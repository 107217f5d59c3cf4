/** The renderer's way in, loaded with the first result. */

export { csv, objects, tableOf } from "../render/data.ts";
export { choices, planOf } from "../render/plan.ts";
export { drawResult } from "./result.ts";
