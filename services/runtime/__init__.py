"""What every service stands on: one server, one error tree, deadlines, identity, calls. It knows gRPC and no domain."""
