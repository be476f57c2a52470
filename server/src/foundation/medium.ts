// The media of delivery: e-mail and SMS, which of them this service has, and addresses.

export type Medium = 'email' | 'sms';

/** An e-mail address, or a mobile number in E.164. */
export type Address = { readonly medium: Medium; readonly to: string };

/** Whether the service sends messages by each medium. The operator may have turned one off. */
export type OfferedMedia = Readonly<Record<Medium, boolean>>;
