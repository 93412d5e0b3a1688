"""Every view of the program, room by room, for those who look at all of them."""
