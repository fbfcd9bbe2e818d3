export function sources(): string[];
export function digest(): string;
