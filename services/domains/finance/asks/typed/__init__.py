"""Questions of finance read into typed asks: classes of shares, conditions, effects, levels, stories and sums."""
