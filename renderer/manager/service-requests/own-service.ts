// The identifier of the only content service in a browser at its address.

export const ownServiceId = "service";
