"""What is made of a journal: why a request was slow, what was lost and needed again, replays."""
