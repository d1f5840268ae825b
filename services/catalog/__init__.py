"""What hapju answers and who answers it, as data: domains, intents, agents, tools by name, words, and the processes."""
