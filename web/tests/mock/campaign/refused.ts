/** A refusal, as the server tells it. */

const STATUS = {
  InvalidArgument: 400,
  NotFound: 404,
  FailedPrecondition: 409,
  PermissionDenied: 403,
} as const;

export class Refused extends Error {
  readonly code: keyof typeof STATUS;
  readonly hint: string | undefined;

  constructor(code: keyof typeof STATUS, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }

  get status(): number {
    return STATUS[this.code];
  }

  problem(): object {
    const { status, code, message, hint } = this;
    return {
      title: code,
      status,
      detail: message,
      error: message,
      code,
      ...(hint ? { hint } : {}),
    };
  }
}

export function required(text: unknown, message: string): string {
  const trimmed = String(text ?? "").trim();
  if (trimmed === "") throw new Refused("InvalidArgument", message);
  return trimmed;
}
