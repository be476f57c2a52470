// The means of delivery, and which of them this service has.

export type Means = 'email' | 'sms';

/** Whether the service sends messages by each means. The operator may have turned a means off. */
export type OfferedMeans = Readonly<Record<Means, boolean>>;
